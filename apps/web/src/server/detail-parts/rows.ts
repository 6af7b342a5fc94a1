import { namespaceFor } from "@binnacle/graph";
import { textAt, type Fields } from "@binnacle/kube";
import { quoted, words, type Facts, type Words, type WordsId } from "@binnacle/words";

import type { Item, Row, Section, Tone } from "./details.ts";

/** A row, or none without items. Spread it among others. */
export function row(label: WordsId | Words, ...items: readonly (Item | undefined)[]): Row[] {
  const present = items.filter((item) => item !== undefined);
  return present.length === 0 ? [] : [{ label: typeof label === "string" ? words(label) : label, items: present }];
}

/** A section, or none without content. */
export function section(title: WordsId, { rows = [], parts = [] }: Omit<Section, "title">): Section[] {
  return rows.length + parts.length === 0 ? [] : [{ title: words(title), rows, parts }];
}

/** A value as it is written; nothing for what is empty or no scalar. */
export function plain(value: unknown, tone?: Tone): Item | undefined {
  const text = scalarText(value);
  return text === "" ? undefined : toned({ words: quoted(text) }, tone);
}

/** An item with a message. */
export function saying(id: WordsId, facts: Facts = {}, tone?: Tone): Item {
  return toned({ words: words(id, facts) }, tone);
}

/** Yes or no; nothing for what is neither. */
export function yesNo(value: unknown): Item | undefined {
  return typeof value === "boolean" ? saying(value ? "detail/yes" : "detail/no") : undefined;
}

/** Another resource, nothing for one without a name. @param to.note message after its name */
export function link(to: {
  readonly group?: string;
  readonly kind: string;
  readonly name: unknown;
  readonly namespace: string;
  readonly note?: Words | undefined;
}): Item | undefined {
  const { group = "", kind, name, namespace, note } = to;
  const text = scalarText(name);
  if (text === "" || kind === "") return undefined;
  return { ref: { group, kind, name: text, namespace: namespaceFor(group, kind, namespace) }, ...(note && { words: note }) };
}

/** A time; nothing for what is none. */
export function time(value: unknown): Item | undefined {
  return typeof value === "string" && value !== "" ? { at: value } : undefined;
}

/** A value of JSON as it is written; empty for what is no text, number or truth. */
export function scalarText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** `key=value` of each, in their order. */
export function pairsOf(map: Fields): string[] {
  return Object.entries(map).map(([key, value]) => `${key}=${scalarText(value)}`);
}

/** A label selector as kubectl writes it; empty when it selects everything. */
export function selectorText(selector: Fields): string {
  const labels = selector["matchLabels"];
  const pairs = typeof labels === "object" && labels !== null ? pairsOf({ ...labels }) : [];
  const expressions = Array.isArray(selector["matchExpressions"]) ? selector["matchExpressions"] : [];
  return [...pairs, ...expressions.map(expressionText)].filter((text) => text !== "").join(",");
}

function expressionText(expression: unknown): string {
  const [key, operator] = [textAt(expression, "key"), textAt(expression, "operator")];
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  const values = typeof expression === "object" && expression !== null && "values" in expression ? expression.values : [];
  const list = Array.isArray(values) ? values.map(scalarText).join(", ") : "";
  return key === "" ? "" : `${key} ${operator.toLowerCase()} (${list})`;
}

function toned(item: Item, tone: Tone | undefined): Item {
  return tone === undefined ? item : { ...item, tone };
}
