import type { PreviewActionResponse } from "@binnacle/proto/dashboard";
import { ActionKind } from "@binnacle/proto/action-enums";
import { messageText, tLater } from "../../ui/messages.ts";
import type { Attempt, AttemptState, ConfirmedAction } from "./action-attempt.ts";
import { isCreation, isRemoval } from "./action-intent.ts";

/** What a preview of the same action says of the object: a dry run, so nothing is sent again. */
export type OutcomeReading =
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
