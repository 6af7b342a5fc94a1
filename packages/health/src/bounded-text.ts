import { textAt } from "@binnacle/kube";

import { headOf, MAX_SHOWN_CHARS } from "./mask-credentials.ts";

/** Longest reason and type that is read, in characters; the API allows as many in `metav1.Condition`. */
const MAX_WORD_CHARS = 1_024;
/** Longest report that is read: a kubelet writes 4 Ki characters of a container at most, the API takes 1 Ki in an Event of today. */
const MAX_REPORT_CHARS = 8_192;
/** Longest time that is read, in characters: RFC 3339 with nanoseconds has 35. */
export const MAX_TIME_CHARS = 64;

/** The sentence in a field of the object; empty when there is none. At most 32 Ki characters are read. */
export function sentenceAt(parent: unknown, name: string): string {
  return headOf(textAt(parent, name), MAX_SHOWN_CHARS);
}

/** What an Event or a container says, read no further than 8 Ki characters. */
export function reportAt(parent: unknown, name: string): string {
  return headOf(textAt(parent, name), MAX_REPORT_CHARS);
}

/** A word for machines, such as a reason, a type or a phase; read no further than 1,024 characters. */
export function wordAt(parent: unknown, name: string): string {
  return textAt(parent, name).slice(0, MAX_WORD_CHARS);
}

/** A time as written. */
export function timeAt(parent: unknown, name: string): string {
  return textAt(parent, name).slice(0, MAX_TIME_CHARS);
}

/** A word for machines as it is shown. */
export function shownWord(text: string): string {
  return text.length > MAX_WORD_CHARS ? `${text.slice(0, MAX_WORD_CHARS)}…` : text;
}
