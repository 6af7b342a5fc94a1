import type { HealthStatus } from "../health-status.ts";
import { remembered } from "./memo.ts";
import { splitWords } from "./split-words.ts";
import {
  COUNT_FILLERS,
  END_KEYS,
  ERROR_KEYS,
  HAVE_WORDS,
  ILL_NOUNS,
  ILL_WORDS,
  LACK_WORDS,
  LAST_ERROR_KEYS,
  MESSAGE_KEYS,
  PROVIDER_KEYS,
  READY_FLAGS,
  SKIPPED_KEYS,
  SOUND_FLAGS,
  START_KEYS,
  WANT_WORDS,
} from "./vocabulary/field-words.ts";
import { OTHER_TIMES, STATE_KEYS, WHOLE_KEYS } from "./vocabulary/state-words.ts";
import { toneOf } from "./tone.ts";

/** What a number counts: what is there, what is wanted, what is lacking or what is ill, and of what. */
export interface CountMeaning {
  readonly role: "have" | "want" | "lack" | "ill";
  /** Without "s", empty for pods and replicas. */
  readonly noun: string;
}

/** What a field of a status is about, by its name alone. */
export interface FieldMeaning {
  /** Nothing below it is about now. */
  readonly skipped: boolean;
  /** Whether it names a state: exactly, such as phase; by its last word, such as syncStatus. */
  readonly state: "exact" | "suffix" | undefined;
  /** Whether it names the state of the whole where it stands in a field that names a state. */
  readonly isWhole: boolean;
  readonly isConditions: boolean;
  /** A text or a list in it is an error. */
  readonly isError: boolean;
  /** The same of an error that may be over. */
  readonly isLastError: boolean;
  /** A list in it names what failed: failedNodes. What failed once is counted in a number. */
  readonly isFailed: boolean;
  /** A text in it may be such an error. */
  readonly isMessage: boolean;
  /** What is below it comes from an outside provider. */
  readonly isProvider: boolean;
  /** What it means when it is a boolean. */
  readonly whenFalse: HealthStatus | undefined;
  readonly whenTrue: HealthStatus | undefined;
  readonly count: CountMeaning | undefined;
  readonly time: "start" | "end" | undefined;
}

/** What a field is about. Names are remembered. */
export const fieldMeaning: (name: string) => FieldMeaning = remembered((name) => {
  const words = splitWords(name);
  const last = words.at(-1) ?? "";
  const joined = words.join("");
  const flag = words.length > 1 && words[0] === "is" ? words.slice(1).join("") : joined;
  const otherTime = words.some((word) => OTHER_TIMES.has(word));
  const isState = STATE_KEYS.has(last) && !otherTime && joined !== "laststate";
  return {
    skipped: (SKIPPED_KEYS.has(last) && !PROVIDER_KEYS.has(joined)) || SKIPPED_KEYS.has(joined),
    state: isState ? (words.length === 1 ? "exact" : "suffix") : undefined,
    isWhole: WHOLE_KEYS.has(joined),
    isConditions: last === "conditions",
    isError: ERROR_KEYS.has(joined),
    isLastError: LAST_ERROR_KEYS.has(joined),
    isFailed: words[0] === "failed" && words.length > 1 && !otherTime,
    isMessage: MESSAGE_KEYS.has(joined),
    isProvider: PROVIDER_KEYS.has(joined),
    whenFalse: SOUND_FLAGS.has(flag) ? "Degraded" : READY_FLAGS.has(flag) ? "Progressing" : undefined,
    whenTrue: SOUND_FLAGS.has(flag) || READY_FLAGS.has(flag) ? "Healthy" : toneOf(name).error ? "Degraded" : undefined,
    count: countMeaning(words),
    time: START_KEYS.has(joined) ? "start" : END_KEYS.has(joined) ? "end" : undefined,
  };
});

/** Words that say which number it is, and not of what. */
const ROLE_WORDS = [HAVE_WORDS, WANT_WORDS, LACK_WORDS, ILL_WORDS];

function countMeaning(words: readonly string[]): CountMeaning | undefined {
  const noun = words
    .filter((word) => !COUNT_FILLERS.has(word) && !ROLE_WORDS.some((list) => list.has(word)))
    .map((word) => (word.endsWith("s") ? word.slice(0, -1) : word))
    .join("");
  if (words.some((word) => LACK_WORDS.has(word)) || words.join("").startsWith("notready")) return { role: "lack", noun };
  if (words.some((word) => ILL_WORDS.has(word))) return noun === "" || ILL_NOUNS.has(noun) ? { role: "ill", noun } : undefined;
  if (words.some((word) => HAVE_WORDS.has(word))) return { role: "have", noun };
  const counts = words.length > 1 && words.some((word) => word === "count" || word === "number");
  return counts || words.some((word) => WANT_WORDS.has(word)) ? { role: "want", noun } : undefined;
}
