import { partsOfPath } from "./field-ownership.ts";
import { isFields, type Fields } from "./loose-json.ts";

/** Fields that no manifest may lack. */
const NEEDED: readonly string[] = ["f:apiVersion", "f:kind"];

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
