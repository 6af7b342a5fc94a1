import { partsOfPath } from "./field-ownership.ts";
import { parseInventoryId } from "./inventory-id.ts";
import { isFields, textAt, type Fields } from "./loose-json.ts";
import { parseJson } from "./parse-json.ts";

/** Fields that one inventory may keep. */
export const MAX_KEPT_FIELDS = 100;
/** Characters of the annotation; all annotations of an object together may have 256 KiB. */
const MAX_TEXT = 64 * 1_024;
const MAX_FIELD = 512;
const MAX_USER = 256;
const MAX_PROOF = 100;

/** A field whose value in the cluster stays, instead of that of Git: an entry of annotation `gitops.binnacle/kept-fields`. */
export interface KeptField {
  /** The object's line in the inventory. */
  readonly object: string;
  /** "spec.template.spec.containers[web].image", as `shownPath` writes it. */
  readonly field: string;
  /** User who keeps it, as the writer states; the annotation does not prove it. */
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** What shows web that it has written the entry for this user; empty for an entry of another user. */
  readonly proof: string;
}

/** Fields that no manifest may lack. */
const NEEDED: readonly string[] = ["f:apiVersion", "f:kind"];

/**
 * Reads annotation `gitops.binnacle/kept-fields`. Any client that may patch the ConfigMap may have written it: what is no entry is left out, and so is
 * all of a text that is too long.
 */
export function parseKeptFields(text: string): readonly KeptField[] {
  const value = text === "" || text.length > MAX_TEXT ? undefined : parseJson(text);
  if (!Array.isArray(value)) return [];
  const entries = new Map<string, KeptField>();
  for (const each of value.slice(0, MAX_KEPT_FIELDS)) {
    const entry = entryOf(each);
    if (entry !== undefined) entries.set(`${entry.object}\n${entry.field}`, entry);
  }
  return [...entries.values()];
}

/** Writes what `parseKeptFields` reads; `null`, which removes the annotation, for no entry. */
export function formatKeptFields(fields: readonly KeptField[]): string | null {
  if (fields.length === 0) return null;
  return JSON.stringify(
    fields.map(({ object, field, user, atMs, proof }) => ({
      object,
      field,
      user,
      at: new Date(atMs).toISOString(),
      ...(proof !== "" && { proof }),
    })),
  );
}

function entryOf(value: unknown): KeptField | undefined {
  if (!isFields(value)) return undefined;
  const [object, field, user, proof] = ["object", "field", "user", "proof"].map((name) => textAt(value, name)) as [
    string,
    string,
    string,
    string,
  ];
  const atMs = Date.parse(textAt(value, "at"));
  const isShort = field.length <= MAX_FIELD && user.length <= MAX_USER && proof.length <= MAX_PROOF;
  if (parseInventoryId(object) === undefined || field === "" || !isShort || Number.isNaN(atMs)) return undefined;
  return { object, field, user, atMs, proof };
}

/**
 * An object without some of its fields; the object is not changed.
 *
 * @param paths as `OtherField` has them; what the object does not have is ignored, and so is what names it
 */
export function withoutFields<T extends object>(object: T, paths: readonly string[]): T {
  let left: unknown = object;
  for (const path of paths) {
    const parts = partsOfPath(path);
    if (parts.length > 0 && !NEEDED.includes(parts[0] ?? "") && !(parts[0] === "f:metadata" && parts.length <= 2))
      left = without(left, parts);
  }
  return left as T;
}

function without(value: unknown, [part = "", ...below]: readonly string[]): unknown {
  const name = part.slice(2);
  if (part.startsWith("f:") && isFields(value)) {
    if (!Object.hasOwn(value, name)) return value;
    if (below.length > 0) return { ...value, [name]: without(value[name], below) };
    const { [name]: _, ...rest } = value;
    return rest;
  }
  if (!Array.isArray(value)) return value;
  const index = indexOf(value, part);
  if (index < 0) return value;
  return below.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index], below));
}

/** The place of an item that `k:`, `v:` or `i:` names; -1 when there is none. */
function indexOf(list: readonly unknown[], part: string): number {
  let named: unknown;
  try {
    named = JSON.parse(part.slice(2));
  } catch {
    return -1;
  }
  if (part.startsWith("i:")) return typeof named === "number" && named < list.length ? named : -1;
  if (part.startsWith("v:")) return list.indexOf(named);
  return isFields(named) ? list.findIndex((item) => hasKeys(item, named)) : -1;
}

/** A manifest may lack a key for which the API server has a default, such as the protocol of a port. */
function hasKeys(item: unknown, keys: Fields): boolean {
  if (!isFields(item)) return false;
  const values = Object.entries(keys).map(([name, value]) => [item[name], value]);
  return values.some(([has]) => has !== undefined) && values.every(([has, value]) => has === undefined || has === value);
}
