import type { Words } from "@binnacle/proto/dashboard";
import { messageText, type WordsWithSentence } from "../ui/messages.ts";

/** The message with the sentence of every text in it, so that a browser shows it before it has loaded a language. */
export function withSentences<T extends object>(message: T): T {
  // It has the same fields; words have one more.
  return addSentences(message) as T;
}

function addSentences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addSentences);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (isWords(value)) return { ...value, sentence: messageText(value) } satisfies WordsWithSentence;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, addSentences(field)]));
}

function isWords(value: object): value is Words {
  return "$typeName" in value && value.$typeName === "dashboard.v1.Words";
}
