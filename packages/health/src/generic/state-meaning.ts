import type { HealthStatus } from "../health-status.ts";
import { remembered } from "./memo.ts";
import { splitWords } from "./split-words.ts";
import { isDoing, isNegated, toneOf } from "./tone.ts";
import { STATE_WORDS } from "./vocabulary/state-words.ts";
import { wordList } from "./vocabulary/word-list.ts";

/** More words than this are a sentence. */
const MAX_WORDS = 4;

const MEANINGS = new Map(STATE_WORDS.flatMap(([status, words]) => [...words].map((word) => [word, status] as const)));

/** A state of so many words is a sentence. */
const MIN_SENTENCE_WORDS = 3;

/** Words by which a sentence denies something that ought to be; "no errors" is none. */
const DENIALS = wordList("not isnt arent cannot");

/** What need not be. */
const INNOCENT = wordList("applicable required needed necessary used enabled requested");

/** Words of a sentence that says that all is well. */
const SOUND = wordList("good healthy ready running succeeded successfully successful completed available operational");

/** The meaning of a state field's value; `undefined` for an unknown word. */
export const statusOfState: (value: string) => HealthStatus | undefined = (value) => meaningOfState(value).status;

const meaningOfState = remembered((value: string): { readonly status: HealthStatus | undefined } => ({ status: judge(value) }));

function judge(value: string): HealthStatus | undefined {
  const words = splitWords(value).filter((word) => Number.isNaN(Number(word)));
  if (words.length <= MAX_WORDS || !/\s/.test(value)) {
    const whole = MEANINGS.get(words.join(""));
    if (whole !== undefined) return whole;
    const suffix = bySuffix(words);
    if (suffix !== undefined) return suffix;
  }
  const { error, progress, nothing } = toneOf(value);
  if (error) return "Degraded";
  if (progress || (nothing && words.length > 0)) return "Progressing";
  if (words.length < MIN_SENTENCE_WORDS) return undefined;
  // "Credentials are not set properly", "Farm in good state".
  if (words.some((word, index) => DENIALS.has(word) && !INNOCENT.has(words[index + 1] ?? ""))) return "Degraded";
  return words.some((word) => SOUND.has(word)) ? "Healthy" : undefined;
}

/** The last word decides, so that BackupFailed is Failed and all_running is running; "not" before it says that it is on its way. */
function bySuffix(words: readonly string[]): HealthStatus | undefined {
  const last = words.at(-1) ?? "";
  const status = MEANINGS.get(last) ?? MEANINGS.get(words.slice(-2).join(""));
  if (status === undefined) return isDoing(last) || isDoing(words[0] ?? "") ? "Progressing" : undefined;
  if (!isNegated(words, words.length - 1)) {
    // ScalingDown is no fault, and CheckingReady not the end.
    const isUnderWay = words.length > 1 && isDoing(words[0] ?? "") && (status === "Healthy" || last === "down");
    return isUnderWay ? "Progressing" : status;
  }
  return status === "Healthy" ? "Progressing" : undefined;
}
