import type { FactValue, Words } from "@binnacle/words";

import { boundedText, MAX_ITEMS } from "./read-message.ts";
import { isTime, toUint32 } from "./wire-values.ts";

/** Characters of a name or of a fact. */
const MAX_NAME = 1_024;
/** Depth of messages in messages. */
const MAX_DEPTH = 8;

const UTF8 = new TextDecoder();

/** JSON that another program has written; `undefined` when it is none. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** A foreign object, read field by field: what is absent, or of another type, is a gap; other fields are ignored. */
export class JsonFields {
  readonly #value: object;

  /** @param value anything; what is no object has no fields */
  constructor(value: unknown) {
    this.#value = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  }

  /** Whatever stands there. */
  get(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? Reflect.get(this.#value, name) : undefined;
  }

  /** A name; "" for what is none. */
  text(name: string): string {
    const value = this.get(name);
    return typeof value === "string" ? boundedText(value, MAX_NAME) : "";
  }

  /** A count; 0 for what is none. */
  count(name: string): number {
    const value = this.get(name);
    return typeof value === "number" ? toUint32(value) : 0;
  }

  /** Only `true` is. */
  flag(name: string): boolean {
    return this.get(name) === true;
  }

  /** Milliseconds since the epoch. */
  time(name: string): number | undefined {
    const value = this.get(name);
    return typeof value === "number" && isTime(value) ? Math.round(value) : undefined;
  }

  /** One of these words. */
  word<W extends string>(name: string, all: readonly W[]): W | undefined {
    const value = this.get(name);
    return all.find((word) => word === value);
  }

  /** A message for people. */
  words(name: string): Words | undefined {
    return wordsIn(this.get(name), MAX_DEPTH);
  }

  /** All names of fields. */
  get names(): readonly string[] {
    return Object.keys(this.#value).slice(0, MAX_ITEMS);
  }
}

function wordsIn(value: unknown, depth: number): Words | undefined {
  const fields = new JsonFields(value);
  const id = fields.text("id");
  if (id === "" || depth === 0) return undefined;
  const facts = new JsonFields(fields.get("facts"));
  const read = facts.names
    .filter((name) => name !== "__proto__")
    .flatMap((name) => {
      const fact = factIn(facts.get(name), depth - 1);
      return fact === undefined ? [] : [[boundedText(name, MAX_NAME), fact] as const];
    });
  return { id, facts: Object.fromEntries(read) };
}

function factIn(value: unknown, depth: number): FactValue | undefined {
  if (typeof value === "string") return boundedText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (!Array.isArray(value)) return wordsIn(value, depth);
  if (depth === 0) return undefined;
  const items: readonly unknown[] = value;
  return items.slice(0, MAX_ITEMS).flatMap((item) => factIn(item, depth - 1) ?? []);
}
