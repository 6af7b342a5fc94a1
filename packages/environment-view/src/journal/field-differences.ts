import { maskCredentials } from "@binnacle/health";
import { fieldPath, isFields, itemNames, itemPath, textAt, type Fields, type KubeObject } from "@binnacle/kube";

import { hashOfValue } from "../objects/field-digests.ts";
import { REPORTED_FIELDS, REPORTED_OF_SECRETS, disclosureOf, VARIABLE, type Disclosure } from "./reported-fields.ts";

/** Of longer texts only the fact of a change is reported. */
const MAX_REPORTED_CHARS = 256;
/** Maximum number of fields that are reported of one change; the others are counted. */
const MAX_FIELDS = 20;
/** What stands deeper is compared as a whole. */
const MAX_DEPTH = 64;
/** A path that is longer loses its end. */
const MAX_PATH_CHARS = 512;
const MARKED_SECRET = /-----BEGIN|[\r\n]/;

/** A field that is another than it was. */
export interface FieldDifference {
  readonly path: string;
  /** Absent: it did not exist, or it is hidden. Credentials in it are masked. */
  readonly before?: string;
  /** Absent: it does not exist any more, or it is hidden. */
  readonly after?: string;
  /** Values are not reported. */
  readonly hidden: boolean;
  /** Keyed hashes before and after, never sent; absent where there was nothing. */
  readonly hashes: readonly [number | undefined, number | undefined];
}

/** What is different between two versions of an object. */
export interface FieldDifferences {
  /** At most twenty, in the order of the object. */
  readonly fields: readonly FieldDifference[];
  /** How many more there are. */
  readonly more: number;
}

/** A version of an object as it is kept, and the hashes of what is not. */
export interface ObjectVersion {
  readonly object: KubeObject;
  readonly digest: ReadonlyMap<string, number>;
}

/**
 * The differences between two versions of an object, without fields that only count (`REPORTED_FIELDS`). The cost grows with the objects' size.
 *
 * Values are reported when they are short texts, numbers or flags, and never of Secrets, data, variables, arguments and commands. Items of lists
 * are compared by name where they have one: `spec.template.spec.containers[web].image`.
 */
export function fieldDifferences(before: ObjectVersion, after: ObjectVersion): FieldDifferences {
  const { object } = after;
  const isSecret = object.kind === "Secret" && !object.apiVersion.includes("/");
  const comparison = new Comparison(before.digest, after.digest);
  comparison.fields(before.object, object, { path: "", disclosure: isSecret ? REPORTED_OF_SECRETS : REPORTED_FIELDS, name: "", depth: 0 });
  comparison.digests();
  const found = comparison.found();
  // Of the data of a Secret only the writer is known, who may also have written the other fields.
  if (isSecret && found.fields.length > 1) return { ...found, fields: found.fields.filter(({ path }) => path !== "data") };
  return found;
}

interface Place {
  readonly path: string;
  readonly disclosure: Disclosure;
  /** Of the field that is nearest. */
  readonly name: string;
  readonly depth: number;
  /** It is an item of the list of which the disclosure is. */
  readonly isItem?: boolean;
}

class Comparison {
  readonly #before: ReadonlyMap<string, number>;
  readonly #after: ReadonlyMap<string, number>;
  readonly #found: FieldDifference[] = [];
  #more = 0;

  constructor(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
    this.#before = before;
    this.#after = after;
  }

  found(): FieldDifferences {
    return { fields: this.#found, more: this.#more };
  }

  /** What is known only by hashes. */
  digests(): void {
    for (const path of new Set([...this.#before.keys(), ...this.#after.keys()])) {
      const hashes = [this.#before.get(path), this.#after.get(path)] as const;
      if (hashes[0] !== hashes[1]) this.#add({ path, hidden: true, hashes });
    }
  }

  fields(before: Fields, after: Fields, { path, disclosure, depth }: Place): void {
    const below = (name: string): void => {
      const place = { path: fieldPath(path, name), disclosure: disclosureOf(disclosure, name), name, depth: depth + 1 };
      this.#values(before[name], after[name], place);
    };
    for (const name of Object.keys(before)) below(name);
    for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) below(name);
  }

  #values(before: unknown, after: unknown, place: Place): void {
    if (before === after || place.disclosure === "left-out") return;
    if (place.disclosure === "state") return this.#leaf(stateOf(before), stateOf(after), place);
    const forms = [formOf(before), formOf(after)];
    const isMapOfVariables = place.disclosure === VARIABLE && place.isItem !== true && forms.includes("fields");
    if (place.depth >= MAX_DEPTH || isMapOfVariables) return this.#leaf(before, after, { ...place, disclosure: "hidden" });
    if ((place.disclosure === "hidden" && !isMapOfHidden(place, forms)) || forms.every((form) => form === "value" || form === "nothing")) {
      return this.#leaf(before, after, place);
    }
    if (forms.includes("fields"))
      this.fields(forms[0] === "fields" ? fields(before) : {}, forms[1] === "fields" ? fields(after) : {}, place);
    if (forms.includes("list")) this.#lists(forms[0] === "list" ? list(before) : [], forms[1] === "list" ? list(after) : [], place);
    // One is a value, the other is not.
    if (forms.includes("value")) this.#leaf(forms[0] === "value" ? before : undefined, forms[1] === "value" ? after : undefined, place);
  }

  #lists(before: readonly unknown[], after: readonly unknown[], place: Place): void {
    const [known, now] = [itemNames(before), itemNames(after)];
    const isNamed = known.by === now.by || before.length === 0 || after.length === 0;
    const items = new Map<string, { before?: unknown; after?: unknown }>();
    const names = isNamed ? known.names : before.map((_, index) => String(index));
    for (const [index, item] of before.entries()) items.set(names[index] ?? "", { before: item });
    const newNames = isNamed ? now.names : after.map((_, index) => String(index));
    for (const [index, item] of after.entries()) {
      const name = newNames[index] ?? "";
      items.set(name, { ...items.get(name), after: item });
    }
    for (const [name, item] of items) {
      this.#values(item.before, item.after, { ...place, path: itemPath(place.path, name), depth: place.depth + 1, isItem: true });
    }
  }

  #leaf(before: unknown, after: unknown, { path, disclosure }: Place): void {
    // What the digests know is theirs to tell.
    if (this.#before.has(path) || this.#after.has(path)) return;
    // A value where a table expects fields is what the rest of them would be.
    const rule = typeof disclosure === "object" ? disclosure.rest : disclosure;
    if (rule === "left-out") return;
    const isHidden = rule === "hidden" || (rule === "credential" && typeof (after ?? before) !== "boolean");
    const texts = isHidden ? undefined : reportedTexts(before, after, path);
    if (texts === "same") return;
    // What is only counted needs none.
    if (this.#found.length >= MAX_FIELDS) return void (this.#more += 1);
    const [was, is] = [before, after].map((value) => (value === undefined ? undefined : hashOfValue(value)));
    if (was !== is) this.#add({ path, hidden: texts === undefined, ...texts, hashes: [was, is] });
  }

  #add(difference: FieldDifference): void {
    if (this.#found.length >= MAX_FIELDS) {
      this.#more += 1;
      return;
    }
    const { path } = difference;
    this.#found.push(path.length > MAX_PATH_CHARS ? { ...difference, path: `${path.slice(0, MAX_PATH_CHARS)}…` } : difference);
  }
}

/** Keys of hidden maps are reported, one level of them. */
function isMapOfHidden({ disclosure, name }: Place, forms: readonly string[]): boolean {
  const isData = name === "data" || name === "binaryData" || name === "stringData" || name === "labels" || name === "annotations";
  return disclosure === "hidden" && isData && forms.includes("fields");
}

/** Lists of values count as one value. */
function formOf(value: unknown): "nothing" | "value" | "list" | "fields" {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" && item !== null) ? "list" : "value";
  return isFields(value) && Object.keys(value).length > 0 ? "fields" : "value";
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @returns `undefined` when they must not be reported, or differ only in what is masked */
function reportedTexts(before: unknown, after: unknown, path: string): { before?: string; after?: string } | "same" | undefined {
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is) return "same";
  const isAnnotation = path.startsWith("metadata.annotations") || path.includes(".annotations");
  if ([was, is].some((text) => text !== undefined && !mayReport(text, isAnnotation))) return undefined;
  const [wasShown, isShown] = [was, is].map((text) => (text === undefined ? undefined : maskCredentials(text)));
  if (wasShown === isShown) return undefined;
  return { ...(wasShown === undefined ? {} : { before: wasShown }), ...(isShown === undefined ? {} : { after: isShown }) };
}

/** Annotations that look like documents may be copies of the object. */
function mayReport(text: string, isAnnotation: boolean): boolean {
  if (text.length > MAX_REPORTED_CHARS || MARKED_SECRET.test(text)) return false;
  return !isAnnotation || !/^\s*[[{]/.test(text);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value;
  // A list of values: there is nothing below it that could be deep.
  return JSON.stringify(value);
}

/** "running", "waiting: ImagePullBackOff", "terminated: Error (1)". */
function stateOf(state: unknown): string | undefined {
  if (!isFields(state)) return undefined;
  for (const word of ["waiting", "terminated", "running"]) {
    const details = state[word];
    if (!isFields(details)) continue;
    const reason = textAt(details, "reason");
    const exitCode = details["exitCode"];
    return `${word}${reason === "" ? "" : `: ${reason}`}${typeof exitCode === "number" ? ` (${exitCode})` : ""}`;
  }
  return undefined;
}
