import { HEALTH_ORDER, type HealthStatus as HealthWord } from "@binnacle/health";
import { HealthStatus, Presence, WhyLevel, type Words as WordsMessage } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";

type Words = {
  readonly status: HealthWord | undefined;
  readonly worstBelow: HealthWord | undefined;
  readonly presence: "present" | "missing" | "not_visible" | undefined;
  readonly level: "resource" | "container" | "event" | "reference" | undefined;
  readonly counts: Readonly<Record<HealthWord, number>>;
};

/** For tests: a message in a readable form. Its enumerations are words, messages are English, times are RFC 3339, and counts are by status. */
export type InWords<T> = T extends Timestamp | WordsMessage
  ? string
  : T extends readonly (infer U)[]
    ? readonly InWords<U>[]
    : T extends object
      ? { readonly [K in keyof T as Exclude<K, "$typeName" | "$unknown">]: K extends keyof Words ? Words[K] : InWords<T[K]> }
      : T;

const STATUS = new Map<unknown, HealthWord>(HEALTH_ORDER.map((word) => [HealthStatus[keyOf(word)], word]));

const WORDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  status: (value) => STATUS.get(value),
  worstBelow: (value) => STATUS.get(value),
  presence: (value) =>
    new Map<unknown, string>([
      [Presence.PRESENT, "present"],
      [Presence.MISSING, "missing"],
      [Presence.NOT_VISIBLE, "not_visible"],
    ]).get(value),
  level: (value) =>
    new Map<unknown, string>([
      [WhyLevel.RESOURCE, "resource"],
      [WhyLevel.CONTAINER, "container"],
      [WhyLevel.EVENT, "event"],
      [WhyLevel.REFERENCE, "reference"],
    ]).get(value),
};

/** For tests: a message in its readable form. */
export function inWords<T extends object>(message: T): InWords<T> {
  // It has the fields of `message`, in the form of InWords.
  return readable(message) as InWords<T>;
}

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== "object" || value === null) return value;
  if (isTimestamp(value)) return timestampDate(value).toISOString().replace(".000Z", "Z");
  if (isWordsMessage(value)) return renderEnglish(fromWordsMessage(value));
  const fields = Object.entries(value).filter(([name]) => !name.startsWith("$"));
  return Object.fromEntries(fields.map(([name, field]) => [name, fieldInWords(name, field)]));
}

function fieldInWords(name: string, value: unknown): unknown {
  if (name !== "counts" || !Array.isArray(value)) return (WORDS[name] ?? readable)(value);
  const counts: Record<HealthWord, number> = { Healthy: 0, Suspended: 0, Progressing: 0, Missing: 0, Degraded: 0, Unknown: 0 };
  for (const { status, count } of value) {
    const word = STATUS.get(status);
    if (word) counts[word] += count;
  }
  return counts;
}

function isTimestamp(value: object): value is Timestamp {
  return "$typeName" in value && value.$typeName === "google.protobuf.Timestamp";
}

function isWordsMessage(value: object): value is WordsMessage {
  return "$typeName" in value && value.$typeName === "dashboard.v1.Words";
}

function keyOf(word: HealthWord): Uppercase<HealthWord> {
  // The names of the contract are the words in capitals.
  return word.toUpperCase() as Uppercase<HealthWord>;
}
