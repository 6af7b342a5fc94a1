import { ActionPodReplacement } from "@binnacle/proto/action-enums";
import { messageText, tLater } from "../../ui/messages.ts";
import type { StateLook } from "../../ui/state-glyph.tsx";
import type { LiveNode } from "../live/live-node.ts";
import type { Attempt } from "./action-attempt.ts";
import { isRemoval, textsOf } from "./action-intent.ts";

/** An attempt on the screen: a glyph, and a sentence. */
export interface AttemptWords {
  readonly look: StateLook;
  readonly text: string;
}

/** What became of an attempt. @param node the resource as the view has it, for what its controllers are doing */
export function attemptWords(attempt: Attempt, node?: LiveNode): AttemptWords {
  const { state } = attempt;
  switch (state.kind) {
    case "sending":
      return { look: "progressing", text: tLater("actions/sending", { action: nameOf(attempt) }) };
    case "checking":
      return { look: "progressing", text: tLater("actions/checking") };
    case "repeating":
      return { look: "progressing", text: tLater("actions/repeating", { action: nameOf(attempt) }) };
    case "not-done":
      return { look: "missing", text: tLater("actions/not-done") };
    case "changed":
      return { look: "missing", text: tLater("actions/changed", { path: state.field?.path ?? "", value: state.field?.value ?? "" }) };
    case "conflict":
      return { look: "missing", text: tLater("actions/conflict", { sentence: sentenceOf(state.why) }) };
    case "refused":
      return { look: "degraded", text: tLater("actions/nothing-changed", { sentence: sentenceOf(state.why) }) };
    case "written":
      return followWords(attempt, node);
    default:
      return { look: "unknown", text: tLater("actions/unknown", { sentence: sentenceOf(state.why) }) };
  }
}

/** What the live region says of a state: without the counts of a rollout, which change more often. */
export function announcementOf(attempt: Attempt): string {
  return attemptWords(attempt).text;
}

/** A sentence with its full stop. */
export function sentenceOf(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Why a change that is done shows nothing yet. */
const LATER = {
  [ActionPodReplacement.ON_RESUME]: "action/replaces-on-resume",
  [ActionPodReplacement.ON_DELETE]: "action/replaces-on-delete",
} as const;

function followWords(attempt: Attempt, node: LiveNode | undefined): AttemptWords {
  const { intent, field, later } = attempt.action;
  const texts = textsOf(intent.kind);
  const reason = messageText(node?.health?.words);
  const facts = { before: field.before ?? "", after: field.after, container: intent.container ?? "", label: intent.label ?? "" };
  const action = texts === undefined ? "" : tLater(texts.inProgress, facts);
  const done = (): AttemptWords => ({
    look: "healthy",
    text: later
      ? tLater("actions/accepted-later", { action: nameOf(attempt), sentence: sentenceOf(tLater(LATER[later])) })
      : tLater("actions/done", { what: texts === undefined ? "" : tLater(texts.done, facts) }),
  });
  switch (attempt.follow.kind) {
    case "progressing":
      return { look: "progressing", text: tLater("actions/progress", { action, sentence: reason }) };
    case "slow":
      return { look: "progressing", text: tLater("actions/still-running", { sentence: reason }) };
    case "failed": {
      const why = messageText(node?.health?.why?.words);
      const sentence = sentenceOf(why === "" ? reason : why);
      return { look: "degraded", text: sentence === "" ? tLater("actions/failed-plain") : tLater("actions/failed", { sentence }) };
    }
    case "gone":
      return isRemoval(intent.kind) ? done() : { look: "neutral", text: tLater("actions/gone") };
    case "settled":
      return done();
    default:
      return { look: "progressing", text: tLater("actions/waiting", { action: nameOf(attempt) }) };
  }
}

function nameOf({ action: { intent } }: Attempt): string {
  const texts = textsOf(intent.kind);
  return texts === undefined ? "" : tLater(texts.confirm, { label: intent.label ?? "" });
}
