import { isFields } from "@binnacle/kube";
import { QUOTED, quoted, type Facts, type FactValue, type Words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";

import { splitWords } from "./generic/split-words.ts";
import { headOf, MASK, maskCredentials, MAX_SHOWN_CHARS } from "./mask-credentials.ts";

/** How texts of others are quoted. */
export interface Quoting {
  /** Longest quotation, in characters. */
  readonly max: number;
  /** Line breaks and runs of blanks become one blank. */
  readonly oneLine: boolean;
}

/** A quotation that is all there is to say: up to 32 Ki characters, as they were written. */
export const FULL_TEXT: Quoting = { max: MAX_SHOWN_CHARS, oneLine: false };

/** A quotation in a sentence. */
export const IN_A_SENTENCE: Quoting = { max: 300, oneLine: true };

/** So much of a text that is quoted in a sentence is looked at. */
const MAX_READ_CHARS = 8_192;

/** Most facts of a sentence, and most parts of a list. */
const MAX_PARTS = 32;

/** Short, and without any sign that a credential has: most names of places are such, and many facts. */
const PLAIN_WORD = /^[a-z]{1,32}$/i;

/** Sentences in sentences. */
const MAX_DEPTH = 8;

/** Last words of names of fields that hold a credential. */
const SECRETS: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "passphrase",
  "secret",
  "token",
  "credential",
  "apikey",
  "accesskey",
  "privatekey",
]);

/** Words before "key". */
const KEYS: ReadonlySet<string> = new Set(["api", "access", "private", "secret"]);

/**
 * A message as it may leave this package: no fact is long, and none holds a credential, because facts are sent to browsers. A text of any
 * other shape is quoted, anything else becomes an empty text.
 *
 * @param value of any shape: callers may be untyped
 */
export function boundedWords(value: unknown, quoting: Quoting = FULL_TEXT): Words {
  if (typeof value === "string") return quoted(quotation(value, quoting));
  return boundedSentence(value, quoting, 0) ?? quoted("");
}

/** A name as it may leave this package. */
export function boundedName(name: string): string {
  return PLAIN_WORD.test(name) ? name : quotation(name, IN_A_SENTENCE);
}

function quotation(text: string, { max: most, oneLine }: Quoting): string {
  const head = headOf(text, Math.max(most, MAX_READ_CHARS));
  // A cut text could end in half of a credential, which the mask would not recognize.
  return maskCredentials(oneLine ? head.replaceAll(/\s+/g, " ").trim() : head, most);
}

function boundedSentence(value: unknown, quoting: Quoting, depth: number): Words | undefined {
  if (!isFields(value) || depth > MAX_DEPTH) return undefined;
  const { id, facts } = value;
  if (typeof id !== "string" || !isFields(facts)) return undefined;
  if (id === QUOTED) return quoted(typeof facts["text"] === "string" ? quotation(facts["text"], quoting) : "");
  const bounded: Record<string, FactValue> = {};
  for (const [name, fact] of Object.entries(facts).slice(0, MAX_PARTS)) {
    const value = boundedFact(fact, quoting, depth);
    if (value !== undefined) bounded[boundedName(name)] = value;
  }
  // What a witness has seen in a field is no word about it where the field is called as credentials are.
  if (typeof bounded["value"] === "string" && typeof facts["path"] === "string" && isSecretField(facts["path"])) bounded["value"] = MASK;
  return { id: Object.hasOwn(ENGLISH, id) ? id : boundedName(id), facts: bounded satisfies Facts };
}

function boundedFact(fact: unknown, quoting: Quoting, depth: number): FactValue | undefined {
  if (typeof fact === "number") return fact;
  if (typeof fact === "string") return boundedName(fact);
  if (!Array.isArray(fact)) return boundedSentence(fact, quoting, depth + 1);
  if (depth >= MAX_DEPTH) return undefined;
  const parts = fact.slice(0, MAX_PARTS).flatMap((each) => boundedFact(each, quoting, depth + 1) ?? []);
  return fact.length > MAX_PARTS ? [...parts, "…"] : parts;
}

/** Whether the last field of a path is called as credentials are: "status.adminPassword", and not "status.passwordState". */
function isSecretField(path: string): boolean {
  const [before = "", last = ""] = ["", ...splitWords(lastFieldOf(path))].slice(-2);
  const word = last.endsWith("s") && !last.endsWith("ss") ? last.slice(0, -1) : last;
  return SECRETS.has(word) || (word === "key" && KEYS.has(before));
}

function lastFieldOf(path: string): string {
  const field = path.slice(path.lastIndexOf(".") + 1);
  const place = field.lastIndexOf("[");
  return place > 0 && field.endsWith("]") ? field.slice(0, place) : field;
}
