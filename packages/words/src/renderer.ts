import { formatToParts } from "intl-messageformat";

import { placeholdersOf, readPlaceholder, type CompiledCatalogue, type CompiledMessage, type MessagePart } from "./catalogue.ts";
import { RENAMED_IDS } from "./renamed-ids.ts";
import { visibleText } from "./visible-text.ts";
import { isWords, NOT_KNOWN, QUOTED, type Facts, type FactValue, type Words } from "./words.ts";

/** Depth of messages in messages; deeper ones are cut. */
const MAX_DEPTH = 8;

/** Elements of intl-messageformat's tree: types 0, 1, 5 and 6 of it are literals, arguments, selects and plurals. */
type Element = Parameters<typeof formatToParts>[0][number];

/** A message as intl-messageformat takes it, and the placeholders that it wants to have values for. */
interface PreparedMessage {
  readonly elements: Element[];
  readonly placeholders: readonly string[];
}

/**
 * Renders messages of one language. Pure; never throws: for an id that neither the catalogue nor `RENAMED_IDS` has, the message `NOT_KNOWN` is
 * shown.
 */
export class Renderer {
  readonly #catalogue: CompiledCatalogue;
  readonly #locale: string;
  readonly #formatters: Parameters<typeof formatToParts>[2];
  readonly #lists: Intl.ListFormat;
  /** Messages with placeholders that were used; at most as many as the catalogue has. */
  readonly #prepared = new Map<string, PreparedMessage>();

  /** @param locale BCP 47 */
  constructor(catalogue: CompiledCatalogue, locale: string) {
    this.#catalogue = catalogue;
    this.#locale = locale;
    const plurals = new Intl.PluralRules(locale);
    this.#formatters = {
      getPluralRules: () => plurals,
      getNumberFormat: (...of) => new Intl.NumberFormat(...of),
      getDateTimeFormat: (...of) => new Intl.DateTimeFormat(...of),
    };
    this.#lists = new Intl.ListFormat(locale, { type: "unit", style: "short" });
  }

  /** The rendered text; empty for an absent message. */
  text(message: Words | undefined): string {
    return message === undefined ? "" : this.#sentence(message, 0);
  }

  #sentence({ id, facts }: Words, depth: number): string {
    if (depth > MAX_DEPTH) return "…";
    // Foreign text is rendered by a message only where it is marked.
    if (id === QUOTED && !Object.hasOwn(this.#catalogue, QUOTED)) return this.#fact(facts["text"], depth);
    const message = this.#messageOf(id) ?? this.#messageOf(NOT_KNOWN) ?? "";
    return typeof message === "string" ? message : this.#formatted(this.#prepare(id, message), facts, depth);
  }

  #messageOf(id: string): CompiledMessage | undefined {
    // "constructor" is no id of a catalogue.
    if (Object.hasOwn(this.#catalogue, id)) return this.#catalogue[id];
    const renamed = Object.hasOwn(RENAMED_IDS, id) ? RENAMED_IDS[id] : undefined;
    return renamed === undefined ? undefined : this.#catalogue[renamed];
  }

  #prepare(id: string, message: CompiledMessage): PreparedMessage {
    const known = this.#prepared.get(id);
    if (known !== undefined) return known;
    const prepared = { elements: elementsOf(message), placeholders: placeholdersOf(message) };
    this.#prepared.set(id, prepared);
    return prepared;
  }

  #formatted({ elements, placeholders }: PreparedMessage, facts: Facts, depth: number): string {
    const values = Object.fromEntries(placeholders.map((placeholder) => [placeholder, this.#value(placeholder, facts, depth)]));
    return formatToParts<string>(elements, this.#locale, this.#formatters, NO_FORMATS, values)
      .map(({ value }) => value)
      .join("");
  }

  #value(placeholder: string, facts: Facts, depth: number): string {
    const { name, form } = readPlaceholder(placeholder);
    const text = this.#fact(Object.hasOwn(facts, name) ? facts[name] : undefined, depth);
    if (form === "presence") return text === "" ? "no" : "yes";
    return form === "capital" ? text.charAt(0).toLocaleUpperCase(this.#locale) + text.slice(1) : text;
  }

  #fact(fact: FactValue | undefined, depth: number): string {
    if (fact === undefined) return "";
    if (typeof fact === "string") return visibleText(fact);
    if (typeof fact === "number") return String(fact);
    if (isWords(fact)) return this.#sentence(fact, depth + 1);
    if (depth > MAX_DEPTH) return "…";
    return this.#lists.format(fact.map((each) => this.#fact(each, depth + 1)).filter((text) => text !== ""));
  }
}

/** Values are texts, so that no message formats a number or a date. */
const NO_FORMATS = { number: {}, date: {}, time: {} };

function elementsOf(message: CompiledMessage): Element[] {
  return typeof message === "string" ? [{ type: 0, value: message }] : message.map(elementOf);
}

function elementOf(part: MessagePart): Element {
  if (typeof part === "string") return { type: 0, value: part };
  if (part.length === 1) return { type: 1, value: part[0] };
  const [value, kind, texts] = part;
  const options = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, { value: elementsOf(text) }]));
  if (kind === "select") return { type: 5, value, options };
  // An absent number has no text.
  return { type: 6, value, options: { "=": { value: [] }, ...options }, offset: 0, pluralType: "cardinal" };
}
