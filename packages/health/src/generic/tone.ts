import { remembered } from "./memo.ts";
import { splitWords } from "./split-words.ts";
import { ABSENT_PAIRS, ABSENT_WORDS, ERROR_ENDS, ERROR_NOUNS, ERROR_PAIRS, ERROR_WORDS, NEGATIONS } from "./vocabulary/error-words.ts";
import { PAUSE_WORDS, RESUME_WORDS } from "./vocabulary/pause-words.ts";
import { type WordPairs, wordList } from "./vocabulary/word-list.ts";

/** Words of a reason, a message or a state that say that it takes time. */
const PROGRESS_WORDS = wordList(`
  pending waiting waits wait progressing progress inprogress requeue requeued retry queued scheduled started yet unknown
  starting stopping creating deleting updating upgrading provisioning reconciling initializing initialising terminating
`);

/** Words that end in "ing" and say nothing about work that goes on. */
const NOT_DOING = wordList(`
  missing
  nothing warning failing crashing erroring existing conflicting string something anything everything thing king bring spring ring
  ping setting mapping networking
`);

/** Words of which a reason is made that only says "not so", so that others must say why. */
const REPEATING_WORDS = wordList(`
  ready available complete completed finished done running active healthy initialized initialised synced reconciled created bound
  provisioned up satisfied met observed
`);

/** The same in one word. */
const REPEATING_OPPOSITES = wordList("unready unavailable notready incomplete false unfinished inactive unsynced");

/** Words shorter than this are not made of two, in characters. */
const SHORTEST_JOINED = 8;

/** What a reason or a message says, by its words. */
export interface Tone {
  /** It names a failure. */
  readonly error: boolean;
  /** It names no other failure than that something is not there. */
  readonly absent: boolean;
  /** It begins by naming a failure, whatever follows: "Error: checksum mismatch". */
  readonly errorFirst: boolean;
  /** It ends by naming one: PartialTriggerError. */
  readonly errorLast: boolean;
  /** It says that it takes time, and names no failure. */
  readonly progress: boolean;
  /** It is empty, or only says "not so". */
  readonly nothing: boolean;
  /** It means that the object is paused, not that it was resumed. */
  readonly paused: boolean;
  /** It says that it tries again. */
  readonly retry: boolean;
}

/** The tone of a text, by its first 256 characters. Short texts are remembered. */
export const toneOf: (text: string) => Tone = remembered((text) => {
  const words = splitWords(text);
  const heard = { failed: false, absent: false, progress: false, paused: false, resumed: false, retry: false, errorFirst: false };
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!heard.failed && isFailure(words, index)) {
      heard.failed = true;
      heard.errorFirst = index <= 1;
    }
    heard.absent ||= isAbsence(words, index);
    heard.progress ||= PROGRESS_WORDS.has(word) || isDoing(word);
    heard.paused ||= PAUSE_WORDS.has(word) && !isNegated(words, index);
    heard.resumed ||= RESUME_WORDS.has(word);
    heard.retry ||= word.startsWith("retr") || word === "backoff";
  }
  const error = heard.failed || heard.absent;
  return {
    error,
    absent: heard.absent && !heard.failed,
    errorFirst: heard.errorFirst,
    errorLast: ERROR_NOUNS.has(words.at(-1) ?? ""),
    progress: !error && heard.progress,
    nothing: !error && saysNotSo(words),
    paused: !error && heard.paused && !heard.resumed,
    retry: heard.retry,
  };
});

/** Whether the word at this place names a failure, alone or with the one before it. */
function isFailure(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  if (isPair(words, index, ERROR_PAIRS)) return true;
  // "No key could open it".
  if (word === "could" && NEGATIONS.has(words[index - 2] ?? "")) return true;
  return (
    (ERROR_WORDS.has(word) || (word.length >= SHORTEST_JOINED && ERROR_ENDS.some((end) => word.endsWith(end)))) && !isNegated(words, index)
  );
}

/** Whether it says, alone or with the one before it, that something is not there. */
function isAbsence(words: readonly string[], index: number): boolean {
  const word = words[index] ?? "";
  if (isPair(words, index, ABSENT_PAIRS)) return true;
  return ABSENT_WORDS.has(word) && !isNegated(words, index);
}

/** Whether a word and the one before it stand in a list of pairs. */
export function isPair(words: readonly string[], index: number, pairs: WordPairs): boolean {
  const firsts = pairs.get(words[index] ?? "");
  return firsts !== undefined && firsts.has(words[index - 1] ?? "");
}

/** "No errors", "without any failure". */
export function isNegated(words: readonly string[], index: number): boolean {
  const before = words[index - 1];
  if (before === undefined) return false;
  return NEGATIONS.has(before) || (before === "any" && NEGATIONS.has(words[index - 2] ?? ""));
}

/** A word that ends in "ing", such as Creating, Issuing, provisioning. */
export function isDoing(word: string): boolean {
  return word.length >= 5 && word.endsWith("ing") && !NOT_DOING.has(word);
}

/** Nothing at all, or a "not" and a word such as ready: NotReady, NotAllPodsReady, MinimumReplicasUnavailable. */
function saysNotSo(words: readonly string[]): boolean {
  if (words.length === 0) return true;
  if (words.some((word) => REPEATING_OPPOSITES.has(word))) return true;
  const at = words.findIndex((word) => NEGATIONS.has(word));
  return at >= 0 && words.some((word, index) => index > at && REPEATING_WORDS.has(word));
}
