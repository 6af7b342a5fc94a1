import type { ActionField, ActRequestSchema, ActResponse, PreviewActionResponse } from "@binnacle/proto/dashboard";
import { ActionKind, ActionOutcome, ActionPodReplacement } from "@binnacle/proto/action-enums";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type ActionIntent, intentOf, isDoneAtOnce, parametersOf } from "./action-intent.ts";
import { FOLLOW_BEGINS, type Follow, type NodeMark } from "./follow-action.ts";

/** As many as a UUID has: a request that is sent again is identified by its id. */
export const REQUEST_ID_BYTES = 16;

/** A field of an object; `before` is absent where the field was not set. */
type FieldChange = Pick<ActionField, "path" | "before" | "after">;

/** An action as it was confirmed: all that a repeated request has to carry again. */
export interface ConfirmedAction {
  readonly intent: ActionIntent;
  readonly request: MessageInitShape<typeof ActRequestSchema> & { readonly requestId: string };
  /** As the preview showed it. */
  readonly field: FieldChange;
  /** The resource in the view when it was confirmed. */
  readonly mark: NodeMark;
  /** Its reverse, as the preview named it; absent: there is none. */
  readonly undo?: ActionIntent;
  /** When pods are replaced that are not when it is written, as the preview reported; absent: they are, or there are none. */
  readonly later?: LaterReplacement;
  /** Its states are not announced one by one. */
  readonly isOneOfMany?: boolean;
}

/** What is known of a request. `why` is a sentence of the server. */
export type AttemptState =
  | { readonly kind: "sending" }
  /** The resource is read to find out whether it was done; nothing is sent. */
  | { readonly kind: "checking" }
  /** The viewer has the same request sent once more; the server reads first. */
  | { readonly kind: "repeating" }
  /** The cluster has the value. `atMs` is of the server's clock. */
  | { readonly kind: "written"; readonly atMs: number; readonly undo?: ActionIntent }
  /** Nothing was changed; `present` is the value that the field has, absent where it is not set. */
  | { readonly kind: "conflict"; readonly present?: string; readonly why: string }
  /** Nothing was changed. */
  | { readonly kind: "refused"; readonly why: string }
  /** No answer came, and the resource does not tell: it may have been done. */
  | { readonly kind: "unknown"; readonly why: string }
  /** No answer came, and the resource was as before when it was read. A request that is still on its way may change it yet. */
  | { readonly kind: "not-done" }
  /** No answer came, and the resource has neither its earlier nor the requested value; `field` is absent where its value means nothing to people. */
  | { readonly kind: "changed"; readonly field?: { readonly path: string; readonly value: string } };

/** One confirmed action and what became of it. */
export interface Attempt {
  readonly action: ConfirmedAction;
  readonly state: AttemptState;
  /** What the cluster makes of it, once it is written. */
  readonly follow: Follow;
}

/** What is confirmed of a preview. @returns `undefined` where there is nothing to confirm: it is refused, the field has the value already, or the name was not typed */
export function confirmedOf(
  preview: PreviewActionResponse,
  confirmed: Pick<ConfirmedAction, "intent" | "mark"> & {
    readonly target: NonNullable<MessageInitShape<typeof ActRequestSchema>["target"]>;
    readonly requestId: string;
    /** Name of the resource, where the preview needs it. */
    readonly typedName?: string;
  },
): ConfirmedAction | undefined {
  const { field, uid, requestedAt, undo, undoParameters } = preview;
  const { intent, mark, target, requestId, typedName = "" } = confirmed;
  if (preview.needsName && typedName !== target.ref?.name) return undefined;
  if (field === undefined || preview.refused !== undefined || field.before === field.after) return undefined;
  const expected = field.before;
  const request = {
    target,
    kind: intent.kind,
    parameters: parametersOf(intent),
    uid,
    requestId,
    typedName,
    planned: field.after,
    ...(requestedAt && { requestedAt }),
    ...(expected !== undefined && { expected }),
  };
  const later = laterOf(preview.podReplacement);
  const reverse = undo !== ActionKind.UNSPECIFIED && { undo: intentOf(undo, undoParameters) };
  return { intent, request, field, mark, ...reverse, ...(later && { later }) };
}

/** Pods are not replaced by the action itself. */
type LaterReplacement = typeof ActionPodReplacement.ON_RESUME | typeof ActionPodReplacement.ON_DELETE;

function laterOf(replacement: number): LaterReplacement | undefined {
  const { ON_RESUME, ON_DELETE } = ActionPodReplacement;
  return replacement === ON_RESUME || replacement === ON_DELETE ? replacement : undefined;
}

/** A confirmed action is sent, unless its request was sent before (a second press), or another one waits for its answer. */
export function begin(before: Attempt | undefined, action: ConfirmedAction): Attempt | undefined {
  if (before !== undefined && (isUnderWay(before) || before.action.request.requestId === action.request.requestId)) return undefined;
  return { action, state: { kind: "sending" }, follow: isDoneAtOnce(action.intent.kind) ? { kind: "settled" } : FOLLOW_BEGINS };
}

/** The resource is read again: only after a request whose answer never came. */
export function check(before: Attempt | undefined): Attempt | undefined {
  return before !== undefined && mayCheck(before) ? { ...before, state: { kind: "checking" } } : undefined;
}

/** The same request is sent again, by the viewer: only of one that may not have been done. */
export function repeat(before: Attempt | undefined): Attempt | undefined {
  return before !== undefined && mayRepeat(before) ? { ...before, state: { kind: "repeating" } } : undefined;
}

/** Whether reading the resource can tell more of an attempt. */
export function mayCheck({ state }: Pick<Attempt, "state">): boolean {
  return state.kind === "unknown" || state.kind === "not-done" || state.kind === "changed";
}

/** Whether sending the same request again can help; the server would refuse to overwrite a value that another writer has set. */
export function mayRepeat({ state }: Pick<Attempt, "state">): boolean {
  return state.kind === "unknown" || state.kind === "not-done";
}

/** Whether a response is pending. */
export function isUnderWay({ state }: Pick<Attempt, "state">): boolean {
  return state.kind === "sending" || state.kind === "checking" || state.kind === "repeating";
}

/** @param answered `why` is the sentence of the answer, `atMs` when it came */
export function afterAnswer(
  attempt: Attempt,
  { outcome, field, undo, undoParameters }: ActResponse,
  answered: { readonly why: string; readonly atMs: number },
): Attempt {
  const { why, atMs } = answered;
  switch (outcome) {
    case ActionOutcome.DONE: {
      const reverse = undo === ActionKind.UNSPECIFIED ? undefined : intentOf(undo, undoParameters);
      return { ...attempt, state: { kind: "written", atMs, ...(reverse && { undo: reverse }) } };
    }
    case ActionOutcome.CONFLICT: {
      const present = field?.before;
      return { ...attempt, state: { kind: "conflict", why, ...(present !== undefined && { present }) } };
    }
    case ActionOutcome.REFUSED:
      return { ...attempt, state: { kind: "refused", why } };
    default:
      // Also an outcome that this page does not know.
      return { ...attempt, state: { kind: "unknown", why } };
  }
}

/**
 * The call itself failed. @param failure `isRefusal`: the request was rejected before anything was sent to the cluster. Of a request that was
 * sent before, that says nothing of the first time.
 */
export function afterError(attempt: Attempt, { why, isRefusal }: { readonly why: string; readonly isRefusal: boolean }): Attempt {
  const isKnown = isRefusal && attempt.state.kind === "sending";
  return { ...attempt, state: { kind: isKnown ? "refused" : "unknown", why } };
}
