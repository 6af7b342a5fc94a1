"use client";
import type { ActionTarget, PreviewActionResponse } from "@binnacle/proto/dashboard";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ActionTargetSchema } from "@binnacle/proto/dashboard";
import { ActionKind } from "@binnacle/proto/action-enums";
import { messageText, tLater } from "../../ui/messages.ts";
import { serverTime } from "../../ui/server-time.ts";
import { isRefusal, sentenceOfError } from "../queries/request-error.ts";
import { detailKeys } from "../queries/detail-keys.ts";
import { loadDashboard } from "../live/load-dashboard.ts";
import { afterAnswer, afterError, begin, check, repeat, type Attempt, type ConfirmedAction, type AttemptState } from "./action-attempt.ts";
import { parametersOf, type ActionIntent, isCreation, isRemoval } from "./action-intent.ts";
import { actionResults, type ResultIdentity } from "./action-results.ts";

/** The server gives up after 30 s; a preview may be retried, an action is never retried automatically. */
const PREVIEW_MS = 35_000;
const ACT_MS = 60_000;
/** A request that was on its way when its answer was lost has mostly arrived by then, and a process that was killed is there again. */
const READ_AFTER_MS = 2_000;

/** The resource of an action, as it is sent. */
export type TargetInit = MessageInitShape<typeof ActionTargetSchema> & Pick<ActionTarget, "projectPath" | "environment">;

/** What is previewed: an object that the action creates is named after the request. */
export interface PreviewQuestion {
  readonly intent: ActionIntent;
  readonly requestId: string;
}

/** A preview as far as it has come. */
export interface ActionPreview {
  /** Of which intent and request it is. */
  readonly question?: PreviewQuestion | undefined;
  readonly isLoading: boolean;
  readonly answer?: PreviewActionResponse | undefined;
  /** A sentence. */
  readonly problem?: string | undefined;
  readonly preview: (question: PreviewQuestion) => void;
  /** Nothing is previewed any more. */
  readonly reset: () => void;
}

/** Asks what an action would do; only the answer to the last question counts. */
export function useActionPreview(target: TargetInit): ActionPreview {
  const { data, error, isPending, variables, mutate, reset } = useMutation({
    // A browser that thinks it is offline still reaches a server on its own machine.
    networkMode: "always",
    retry: false,
    mutationFn: (question: PreviewQuestion) => previewOf(target, question),
  });
  return { question: variables, isLoading: isPending, answer: data, problem: sentenceOfError(error), preview: mutate, reset };
}

/** What an action would do. @throws ConnectError */
export async function previewOf(
  target: ConfirmedAction["request"]["target"],
  { intent, requestId }: PreviewQuestion,
): Promise<PreviewActionResponse> {
  const question = { ...(target && { target }), kind: intent.kind, parameters: parametersOf(intent), requestId };
  return (await loadDashboard()).previewAction(question, { timeoutMs: PREVIEW_MS });
}

/** Sends confirmed actions. What comes of them is in the results of the page, whether or not anything shows them. */
export interface Actor {
  /** Sends it, once: not while another one waits for its answer, and not a second time. */
  readonly confirm: (action: ConfirmedAction) => void;
  /** Reads the resource again after a request whose answer never came; nothing is sent. */
  readonly check: () => void;
  /** Sends the same request again after such an outcome. */
  readonly repeat: () => void;
}

/** Acts on one resource. */
export function useActor(of: ResultIdentity): Actor {
  const client = useQueryClient();
  const { projectPath, environment, id } = of;
  const reviewAgain = (): Promise<void> => client.invalidateQueries({ queryKey: detailKeys.actionsOf({ projectPath, environment, id }) });
  const send = useMutation({
    networkMode: "always",
    retry: false,
    mutationFn: async ({ action }: Attempt) => sendAction(action),
    onSuccess: (after, { action }) => {
      actionResults.update(of, action.request.requestId, after);
      checkLater(of, reviewAgain);
    },
    onSettled: reviewAgain,
  }).mutate;
  const start = (attempt: Attempt | undefined): void => {
    if (attempt === undefined) return;
    actionResults.set(of, attempt);
    send(attempt);
  };
  return {
    confirm: (action) => start(begin(actionResults.get(of), action)),
    check: () => void checkOutcome(of).then(reviewAgain),
    repeat: () => start(repeat(actionResults.get(of))),
  };
}

/** Sends it once. @returns what that makes of an attempt; a call that fails is an outcome, too */
export async function sendAction({ request }: ConfirmedAction): Promise<(attempt: Attempt) => Attempt> {
  try {
    const answer = await (await loadDashboard()).act(request, { timeoutMs: ACT_MS });
    const answered = { why: messageText(answer.words), atMs: serverTime.now() };
    return (attempt) => afterAnswer(attempt, answer, answered);
  } catch (error) {
    const failure = { why: sentenceOfError(error) ?? "", isRefusal: isRefusal(error) };
    return (attempt) => afterError(attempt, failure);
  }
}

/**
 * Reads the resource once, a moment after an outcome that is not known; of any other outcome nothing is read. @param onRead once it was read
 */
export function checkLater(of: ResultIdentity, onRead?: () => Promise<void>): void {
  const attempt = actionResults.get(of);
  if (attempt?.state.kind !== "unknown") return;
  setTimeout(() => {
    if (actionResults.get(of) === attempt) void checkOutcome(of).then(onRead);
  }, READ_AFTER_MS);
}

async function checkOutcome(of: ResultIdentity): Promise<void> {
  const checking = check(actionResults.get(of));
  if (checking === undefined) return;
  actionResults.set(of, checking);
  const reading = await readOutcome(checking.action);
  actionResults.update(of, checking.action.request.requestId, (attempt) => afterReading(attempt, reading, serverTime.now()));
}

/** Previews the same action of the resource as it is now. A preview that fails is a reading, too. */
async function readOutcome({ intent, request: { target, requestId } }: ConfirmedAction): Promise<OutcomeReading> {
  try {
    const preview = await previewOf(target, { intent: await readableIntent(intent, target), requestId });
    return { kind: "previewed", preview };
  } catch (error) {
    return { kind: "failed", why: sentenceOfError(error) ?? "" };
  }
}

/** A rollback gives its revision another number, so any that exists is previewed: each preview has the template that the workload has now. */
async function readableIntent(intent: ActionIntent, target: ConfirmedAction["request"]["target"]): Promise<ActionIntent> {
  if (intent.kind !== ActionKind.ROLL_BACK) return intent;
  const { revisions } = await (await loadDashboard()).listRevisions({ ...(target && { target }) }, { timeoutMs: PREVIEW_MS });
  const [newest] = revisions;
  return newest === undefined ? intent : { ...intent, revision: newest.revision };
}

/** What a preview of the same action says of the object: a dry run, so nothing is sent again. */
type OutcomeReading =
  | { readonly kind: "previewed"; readonly preview: PreviewActionResponse }
  /** The preview failed. `why` is a sentence. */
  | { readonly kind: "failed"; readonly why: string };

/** What a reading says of an attempt that is being checked; any other attempt stays as it is. @param atMs when it was read, by the server's clock */
export function afterReading(attempt: Attempt, reading: OutcomeReading, atMs: number): Attempt {
  if (attempt.state.kind !== "checking") return attempt;
  const state =
    reading.kind === "failed" ? ({ kind: "unknown", why: reading.why } as const) : stateOfPreview(attempt.action, reading.preview, atMs);
  return { ...attempt, state };
}

function stateOfPreview({ intent, request, field, undo }: ConfirmedAction, preview: PreviewActionResponse, atMs: number): AttemptState {
  const { kind } = intent;
  const present = preview.field;
  const done: AttemptState = { kind: "written", atMs, ...(undo && { undo }) };
  // A removed object has no uid any more, or that of a successor.
  if (preview.uid !== request.uid) return isRemoval(kind) ? done : { kind: "unknown", why: tLater("actions/read-replaced") };
  if (preview.edit?.changedSince === true) return { kind: "changed" };
  if (present === undefined) return { kind: "unknown", why: messageText(preview.refused) };
  // An object that is being deleted has a time of deletion, whichever that is.
  if (isRemoval(kind)) return present.before === undefined ? { kind: "not-done" } : done;
  if (present.before === field.after) return done;
  if (present.before !== field.before) return { kind: "changed", ...valueOf(kind, present) };
  // A Job of the same name that the viewer may not read looks absent; the dry run is refused then.
  if (isCreation(kind) && preview.refused !== undefined) return { kind: "unknown", why: messageText(preview.refused) };
  // Controllers of tools remove some of these values once they have acted on them.
  if (kind === ActionKind.TOOL) return { kind: "unknown", why: tLater("actions/read-consumed", { path: present.path }) };
  return { kind: "not-done" };
}

/** The value as people read it; that of an edit and of a rollback is a hash. */
function valueOf(
  kind: ActionKind,
  { path, before }: NonNullable<PreviewActionResponse["field"]>,
): Pick<Extract<AttemptState, { kind: "changed" }>, "field"> {
  if (kind === ActionKind.EDIT || kind === ActionKind.ROLL_BACK) return {};
  return { field: { path, value: before ?? tLater("action/not-set") } };
}
