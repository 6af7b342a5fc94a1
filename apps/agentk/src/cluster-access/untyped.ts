import { Fault } from "@binnacle/rpc";

/** A value out of YAML or JSON, with the place it was found at, so that complaints can name it. */
export class Untyped {
  readonly value: unknown;
  readonly place: string;

  constructor(value: unknown, place: string) {
    this.value = value;
    this.place = place;
  }

  /** The value under `key`; undefined when this is no mapping or has no such key. */
  get(key: string): Untyped {
    const value =
      typeof this.value === "object" && this.value !== null && !Array.isArray(this.value)
        ? Object.entries(this.value).find(([name]) => name === key)?.[1]
        : undefined;
    return new Untyped(value, this.place === "" ? key : `${this.place}.${key}`);
  }

  /** @throws Fault `configuration_invalid` when it is there and not a text; an empty text counts as absent */
  text(): string | undefined {
    if (this.value === undefined || this.value === null || this.value === "") return undefined;
    if (typeof this.value !== "string") throw this.wrong("a text");
    return this.value;
  }

  /** @throws Fault `configuration_invalid` when it is there and neither true nor false */
  flag(): boolean {
    if (this.value === undefined || this.value === null) return false;
    if (typeof this.value !== "boolean") throw this.wrong("true or false");
    return this.value;
  }

  /** @throws Fault `configuration_invalid` when it is there and not a list */
  list(): Untyped[] {
    if (this.value === undefined || this.value === null) return [];
    if (!Array.isArray(this.value)) throw this.wrong("a list");
    return this.value.map((item: unknown, index) => new Untyped(item, `${this.place}[${index}]`));
  }

  /** Texts of a list. @throws Fault `configuration_invalid` when one is no text */
  texts(): string[] {
    return this.list().map((item) => {
      if (typeof item.value !== "string") throw item.wrong("a text");
      return item.value;
    });
  }

  /** Keys and values of a mapping. @throws Fault `configuration_invalid` when it is there and no mapping */
  entries(): (readonly [string, Untyped])[] {
    if (this.value === undefined || this.value === null) return [];
    if (typeof this.value !== "object" || Array.isArray(this.value)) throw this.wrong("a mapping");
    return Object.entries(this.value).map(([key, value]) => [key, new Untyped(value, `${this.place}.${key}`)] as const);
  }

  /** The complaint that something else was expected here. */
  wrong(expected: string): Fault {
    return new Fault("configuration_invalid", `${this.place}: expected ${expected}`);
  }
}
