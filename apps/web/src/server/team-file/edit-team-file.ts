import { isDeepStrictEqual } from "node:util";

import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  parseDocument,
  stringify,
  type Document,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from "yaml";

import { readTeamYaml } from "./team-yaml.ts";
import { MAX_TEAM_FILE_BYTES, type EnvironmentEntry } from "./team-file-schema.ts";

/** The text of an edited file, or that it cannot be edited in place. */
export type EditedFile = { readonly kind: "edited"; readonly text: string } | { readonly kind: "not-editable" | "too-large" };

/** What is written over a part of the text. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const KEYS = ["namespaces", "labels", "inventoryId"] as const;

/**
 * Gives an environment another entry in a project's file. Every byte outside of the keys that change stays: comments, order, unknown keys, line
 * ends. The result is read again and compared with what was meant; where it differs, as with anchors or odd layouts, nothing is edited.
 *
 * @param text absent: there is no file yet
 * @param entry absent: the file is to have no entry of this name
 */
export function editTeamFile(text: string | undefined, name: string, entry: EnvironmentEntry | undefined): EditedFile {
  const before = text ?? "";
  // Bounds depth and size for the recursive work below.
  const read = readTeamYaml(before);
  if (read.content === undefined && read.problems.length > 0) return { kind: "not-editable" };
  const document = parseDocument(before, { uniqueKeys: false, keepSourceTokens: true });
  const splices = splicesOf(new Source(before), document, { name, entry: plainEntry(entry) });
  if (splices === undefined) return { kind: "not-editable" };
  const after = splices.toSorted((a, b) => b.from - a.from).reduce(spliced, before);
  if (Buffer.byteLength(after) > MAX_TEAM_FILE_BYTES) return { kind: "too-large" };
  return isAsMeant(before, after, { name, entry: plainEntry(entry) }) ? { kind: "edited", text: after } : { kind: "not-editable" };
}

/** The lines of an entry, for a person who edits the file. */
export function entryYaml(name: string, entry: EnvironmentEntry): string {
  return stringify({ environments: { [name]: plainEntry(entry) } }, { lineWidth: 0 });
}

interface Wanted {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>> | undefined;
}

/** Keys in one order, without those that are undefined. */
function plainEntry(entry: EnvironmentEntry | undefined): Record<string, unknown> | undefined {
  if (entry === undefined) return undefined;
  return Object.fromEntries(KEYS.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]])));
}

function spliced(text: string, { from, to, text: inserted }: Splice): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

/** @returns `undefined` where there is no place for it */
function splicesOf(source: Source, document: Document.Parsed, wanted: Wanted): readonly Splice[] | undefined {
  if (document.errors.length > 0) return undefined;
  const { contents } = document;
  if (contents === null || isEmptyScalar(contents)) {
    if (wanted.entry === undefined) return [];
    return [source.append(source.text.length, lines(source, { environments: { [wanted.name]: wanted.entry } }, ""))];
  }
  if (!isMap(contents) || contents.flow === true) return undefined;
  const environments = pairAt(contents, "environments");
  if (environments === undefined || isNothing(environments.value)) {
    if (wanted.entry === undefined) return [];
    if (environments !== undefined)
      return source.setValue(environments, `${source.eol}${indented(source, { [wanted.name]: wanted.entry }, "  ")}`);
    return [source.append(source.lineEnd(endOf(contents)), lines(source, { environments: { [wanted.name]: wanted.entry } }, ""))];
  }
  const map = environments.value;
  if (!isMap(map)) return undefined;
  const own = pairAt(map, wanted.name);
  if (own === undefined) return wanted.entry === undefined ? [] : source.addPair(environments, map, { [wanted.name]: wanted.entry });
  if (wanted.entry === undefined) return source.removePair(map, own);
  if (!isMap(own.value)) return source.setValue(own, ` ${flowOf(wanted.entry)}`);
  return entrySplices(source, { pair: own, map: own.value }, wanted.entry);
}

/** Only keys of an entry that differ are written. */
function entrySplices(
  source: Source,
  { pair: own, map }: { readonly pair: Pair; readonly map: YAMLMap },
  entry: Readonly<Record<string, unknown>>,
): readonly Splice[] | undefined {
  const stays = map.items.some((item) => KEYS.every((key) => !isKey(item, key)) || Object.keys(entry).some((key) => isKey(item, key)));
  // A block that loses all its keys is another value, and one within braces has no lines of its own.
  if (map.flow === true || !stays) return source.setValue(own, ` ${flowOf({ ...unknownOf(map), ...entry })}`);
  const splices: Splice[] = [];
  for (const key of KEYS) {
    const pair = pairAt(map, key);
    const value = entry[key];
    if (pair === undefined) {
      const added = value === undefined ? [] : source.addPair(own, map, { [key]: value });
      if (added === undefined) return undefined;
      splices.push(...added);
    } else if (value === undefined) {
      const removed = source.removePair(map, pair);
      if (removed === undefined) return undefined;
      splices.push(...removed);
    } else if (!isDeepStrictEqual(plain(pair.value), value)) {
      const set = source.setValue(pair, ` ${flowOf(value)}`);
      if (set === undefined) return undefined;
      splices.push(...set);
    }
  }
  return merged(splices);
}

/** What an entry has besides what an environment is: it stays. */
function unknownOf(map: YAMLMap): Record<string, unknown> {
  const all = Object.entries(plain(map) as Record<string, unknown>);
  return Object.fromEntries(all.filter(([key]) => !KEYS.some((each) => each === key)));
}

/** Lines that are added at one place come in the order of their keys. */
function merged(splices: readonly Splice[]): readonly Splice[] {
  const byPlace = new Map<string, Splice>();
  for (const splice of splices) {
    const place = `${splice.from}-${splice.to}`;
    const before = byPlace.get(place);
    byPlace.set(place, before === undefined ? splice : { ...splice, text: before.text + splice.text });
  }
  return [...byPlace.values()];
}

/** A text with the places of its lines. */
class Source {
  readonly text: string;
  /** Line break of the file. */
  readonly eol: string;

  constructor(text: string) {
    this.text = text;
    this.eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  }

  /** Where the line after that of a place begins. */
  lineEnd(at: number): number {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end + 1;
  }

  /** Whole lines at a place that begins a line, or at the end. */
  append(at: number, added: string): Splice {
    const isOnLine = at === 0 || this.text[at - 1] === "\n";
    return { from: at, to: at, text: isOnLine ? added : `${this.eol}${added}` };
  }

  /** Another value behind the colon of a key. */
  setValue(pair: Pair, text: string): readonly Splice[] | undefined {
    const key = pair.key;
    if (!isScalar(key) || !key.range) return undefined;
    const colon = this.#colonAfter(pair, key.range[1]);
    if (colon === undefined) return undefined;
    const end = isNothing(pair.value) && !hasRange(pair.value) ? colon + 1 : Math.max(colon + 1, endOf(pair.value));
    return [{ from: colon + 1, to: end, text }];
  }

  /** One more key at the end of a block. */
  addPair(parent: Pair, map: YAMLMap, added: Readonly<Record<string, unknown>>): readonly Splice[] | undefined {
    const [first] = map.items;
    if (map.flow === true) {
      const value = { ...(plain(map) as Record<string, unknown>), ...added };
      return this.setValue(parent, ` ${flowOf(value)}`);
    }
    if (first === undefined || !isScalar(first.key) || !first.key.range) return undefined;
    return [this.append(this.lineEnd(endOf(map)), lines(this, added, this.#indentAt(first.key.range[0])))];
  }

  /** The lines of a key of a block, or nothing of it within braces. */
  removePair(map: YAMLMap, pair: Pair): readonly Splice[] | undefined {
    const { key } = pair;
    if (map.flow === true || !isScalar(key) || !key.range) return undefined;
    const from = key.range[0] - this.#indentAt(key.range[0]).length;
    if (from > 0 && this.text[from - 1] !== "\n") return undefined;
    return [{ from, to: this.lineEnd(Math.max(key.range[1], hasRange(pair.value) ? endOf(pair.value) : key.range[1])), text: "" }];
  }

  /** What stands before a place on its line. */
  #indentAt(at: number): string {
    return this.text.slice(this.text.lastIndexOf("\n", at - 1) + 1, at);
  }

  #colonAfter(pair: Pair, at: number): number | undefined {
    const token = (pair as { srcToken?: { sep?: readonly { readonly type: string; readonly offset: number }[] } }).srcToken;
    const colon = token?.sep?.find(({ type }) => type === "map-value-ind")?.offset;
    return colon !== undefined && colon >= at ? colon : undefined;
  }
}

function hasRange(node: unknown): node is ParsedNode {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}

/** Where a node ends, without a comment or line break behind it. */
function endOf(node: unknown): number {
  if (!hasRange(node)) return 0;
  const last: unknown = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (isPair(last)) return Math.max(hasRange(last.key) ? endOf(last.key) : 0, hasRange(last.value) ? endOf(last.value) : 0);
  return hasRange(last) ? endOf(last) : node.range[1];
}

function isEmptyScalar(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function isNothing(node: unknown): boolean {
  return node === null || node === undefined || isEmptyScalar(node);
}

function isKey({ key }: Pair, name: string): boolean {
  return isScalar(key) && (typeof key.value === "string" ? key.value : key.source) === name;
}

function pairAt(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => isKey(pair, name));
}

function plain(node: unknown): unknown {
  return typeof node === "object" && node !== null && "toJSON" in node && typeof node.toJSON === "function" ? node.toJSON() : node;
}

function flowOf(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trimEnd();
}

/** Whole lines of a block. */
function lines(source: Source, value: Readonly<Record<string, unknown>>, indent: string): string {
  return `${indented(source, value, indent)}${source.eol}`;
}

/** A block whose every line begins with `indent`; short lists and maps stay on the line of their key. */
function indented(source: Source, value: Readonly<Record<string, unknown>>, indent: string): string {
  const block = blockOf(value);
  return block.map((line) => `${indent}${line}`).join(source.eol);
}

function blockOf(value: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = stringify(key, { lineWidth: 0 }).trimEnd();
    if (typeof inner !== "object" || inner === null || Array.isArray(inner) || KEYS.some((each) => each === key))
      return [`${name}: ${flowOf(inner)}`];
    return [`${name}:`, ...blockOf(inner as Record<string, unknown>).map((line) => `  ${line}`)];
  });
}

/** Whether the text says what it said before, with another entry of the name. */
function isAsMeant(before: string, after: string, { name, entry }: Wanted): boolean {
  const [was, is] = [readTeamYaml(before).content, readTeamYaml(after)];
  if (is.problems.length > readTeamYaml(before).problems.length) return false;
  const root = mapOf(was);
  const environments = mapOf(root.get("environments"));
  const present = mapOf(environments.get(name));
  const unknown = [...present].filter(([key]) => !KEYS.some((each) => each === key));
  if (entry === undefined) environments.delete(name);
  else environments.set(name, new Map([...unknown, ...Object.entries(entry)]));
  if (entry !== undefined || root.has("environments")) root.set("environments", environments);
  return isDeepStrictEqual(comparable(is.content), comparable(root));
}

function mapOf(value: unknown): Map<string, unknown> {
  if (value instanceof Map) return value as Map<string, unknown>;
  return new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

/** Maps as sorted entries; what says nothing is an empty map. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || value === undefined) return {};
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    [...mapOf(value)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [`.${key}`, comparable(inner)]),
  );
}
