import { remembered } from "./memo.ts";
import { splitWords } from "./split-words.ts";
import { isNegated, isPair } from "./tone.ts";
import {
  BAD_ENDS,
  BAD_PAIRS,
  BAD_TYPES,
  BUSY_PAIRS,
  BUSY_TYPES,
  END_TYPES,
  GOOD_PAIRS,
  GOOD_TYPES,
  INNOCENT_PAIRS,
  OUTCOME_TYPES,
  PAUSE_TYPES,
} from "./vocabulary/condition-words.ts";

/** What a condition type means when it is True. */
export type Meaning = "good" | "bad" | "busy" | "pause" | "other";

/** A type, and whether False is normal until the end. */
interface TypeMeaning {
  readonly meaning: Meaning;
  readonly isEnd: boolean;
  readonly isOutcome: boolean;
}

/** So much of the end of a type is read, in characters: its last words say what it is about. */
const MAX_CHARS = 256;

const typeOf: (type: string) => TypeMeaning = remembered((type) => {
  const words = splitWords(type.slice(-MAX_CHARS));
  const last = words.at(-1) ?? "";
  return { meaning: meaningOfWords(words), isEnd: END_TYPES.has(last), isOutcome: OUTCOME_TYPES.has(last) };
});

/** Meaning of a condition type, by its words: "ACK.ResourceSynced" is about Synced, "BackupFailedOnce" about Failed. */
export function meaningOf(type: string): Meaning {
  return typeOf(type).meaning;
}

/** Whether False is normal until the end. */
export function isEndType(type: string): boolean {
  return typeOf(type).isEnd;
}

/** Whether it tells how something ended, so that False after the end is a failure. */
export function isOutcome(type: string): boolean {
  return typeOf(type).isOutcome;
}

function meaningOfWords(words: readonly string[]): Meaning {
  const last = words.at(-1) ?? "";
  if (PAUSE_TYPES.has(last)) return isNegated(words, words.length - 1) ? "other" : "pause";
  const bad = words.findIndex((_word, index) => isIll(words, index));
  if (bad >= 0) return isNegated(words, isPair(words, bad, BAD_PAIRS) ? bad - 1 : bad) ? "good" : "bad";
  if (BUSY_TYPES.has(last) || BUSY_PAIRS.has(`${words.at(-2)}+${last}`)) return "busy";
  if (GOOD_PAIRS.has(`${words.at(-2)}+${last}`)) return "good";
  if (!GOOD_TYPES.has(last)) return "other";
  return isNegated(words, words.length - 1) ? "bad" : "good";
}

/** Whether the word at this place means ill: by itself, with the one before it, or because the type ends in it. */
function isIll(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  if (BAD_TYPES.has(word) || isPair(words, index, BAD_PAIRS)) return true;
  return index === words.length - 1 && BAD_ENDS.has(word) && !isPair(words, index, INNOCENT_PAIRS);
}
