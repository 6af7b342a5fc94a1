import type { Catalogue } from "./catalogue.ts";
import { isPlace, parseTemplate, type Piece, type Place } from "./template.ts";
import { visibleText } from "./visible-text.ts";
import { isWords, QUOTED, type Facts, type FactValue, type Words } from "./words.ts";

/** Depth of messages in messages; deeper ones are cut. */
const MAX_DEPTH = 8;

/** Makes sentences of one language. Pure; never throws: what the catalogue does not know is shown by its id and facts. */
export class Renderer {
  readonly #catalogue: Catalogue;
  readonly #locale: string;
  readonly #plurals: Intl.PluralRules;
  readonly #lists: Intl.ListFormat;
  /** Of templates that were used; at most as many as the catalogue has. */
  readonly #parsed = new Map<string, readonly Piece[]>();

  /** @param locale BCP 47 */
  constructor(catalogue: Catalogue, locale: string) {
    this.#catalogue = catalogue;
    this.#locale = locale;
    this.#plurals = new Intl.PluralRules(locale);
    this.#lists = new Intl.ListFormat(locale, { type: "unit", style: "short" });
  }

  /** The rendered text; empty for an absent message. */
  text(message: Words | undefined): string {
    return message === undefined ? "" : this.#sentence(message, 0);
  }

  #sentence({ id, facts }: Words, depth: number): string {
    if (depth > MAX_DEPTH) return "…";
    // Foreign text is rendered by a template only where it is marked.
    if (id === QUOTED && !Object.hasOwn(this.#catalogue, QUOTED)) return this.#fact(facts["text"], depth);
    const pieces = this.#piecesOf(id);
    if (pieces !== undefined) return pieces.map((piece) => this.#piece(piece, facts, depth)).join("");
    const known = Object.entries(facts).map(([name, fact]) => `${name}: ${this.#fact(fact, depth)}`);
    return known.length === 0 ? id : `${id} (${known.join(", ")})`;
  }

  #piecesOf(id: string): readonly Piece[] | undefined {
    const known = this.#parsed.get(id);
    if (known !== undefined) return known;
    // "constructor" is no id of a catalogue.
    const template = Object.hasOwn(this.#catalogue, id) ? this.#catalogue[id] : undefined;
    if (template === undefined) return undefined;
    const pieces = parseTemplate(template);
    this.#parsed.set(id, pieces);
    return pieces;
  }

  #piece(piece: Piece, facts: Facts, depth: number): string {
    if (typeof piece === "string") return piece;
    if (isPlace(piece)) return this.#place(piece, facts, depth);
    const parts = piece.optional.map((each) => ({ each, text: this.#piece(each, facts, depth) }));
    return parts.some(({ each, text }) => text === "" && typeof each !== "string") ? "" : parts.map(({ text }) => text).join("");
  }

  #place({ name, capital, plural }: Place, facts: Facts, depth: number): string {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    const text = this.#fact(fact, depth);
    if (plural !== undefined && text !== "") return this.#plural(plural, text);
    return capital ? text.charAt(0).toLocaleUpperCase(this.#locale) + text.slice(1) : text;
  }

  #plural(choices: ReadonlyMap<string, string>, number: string): string {
    const choice = choices.get(this.#plurals.select(Number(number))) ?? choices.get("other") ?? "#";
    return choice.replaceAll("#", () => number);
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
