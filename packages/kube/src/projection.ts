import { isFields } from "./loose-json.ts";
import type { TextSharing } from "./string-pool.ts";

/**
 * What becomes of a field.
 * - `drop`: it is left out.
 * - `own`: it stays as it is; no other object has the same.
 * - `first`: only the first item of the list stays.
 * - `keys`: the names of its fields stay, their values become empty texts.
 * - a Cut: applied to the object, or to each item of the list.
 */
export type FieldRule = "drop" | "own" | "first" | "keys" | Cut;

/** What becomes of the fields of an object, by name; fields that are not named stay whole. */
export type Cut = ReadonlyMap<string, FieldRule>;

/** Deeper than this values are shared with the original instead of copied: Kubernetes' own kinds are nowhere as deep. */
const MAX_DEPTH = 64;

const UNCUT: Cut = new Map();

/** Writes a cut down. */
export function cut(rules: Readonly<Record<string, FieldRule>>): Cut {
  return new Map(Object.entries(rules));
}

/** These fields are left out. */
export function dropping(...names: readonly string[]): Record<string, "drop"> {
  return Object.fromEntries(names.map((name) => [name, "drop"]));
}

/** A copy of decoded JSON without what the cut leaves out, its texts shared. Never throws on odd shapes; the value is not changed. */
export function applyCut(value: unknown, rules: Cut, pool: TextSharing): unknown {
  return copy(value, rules, { pool, depth: 0 });
}

interface Copying {
  readonly pool: TextSharing;
  depth: number;
}

function copy(value: unknown, rules: Cut, copying: Copying): unknown {
  if (typeof value === "string") return copying.pool.share(value);
  if (typeof value !== "object" || value === null || copying.depth >= MAX_DEPTH) return value;
  copying.depth += 1;
  const copied = Array.isArray(value) ? copyList(value, rules, copying) : copyFields(value, rules, copying);
  copying.depth -= 1;
  return copied;
}

function copyList(list: readonly unknown[], rules: Cut, copying: Copying): unknown[] {
  // As long as the original: a list that grows item by item keeps room for many more.
  const copied = list.slice();
  for (let index = 0; index < copied.length; index += 1) copied[index] = copy(copied[index], rules, copying);
  return copied;
}

function copyFields(value: object, rules: Cut, copying: Copying): unknown {
  if (!isFields(value)) return value;
  const names = Object.keys(value);
  const isUncut = !names.some((name) => rules.get(name) === "drop" || name === "__proto__");
  // A copy in one go has the layout of the original, which the parser made to measure.
  const copied: Record<string, unknown> = isUncut ? { ...value } : {};
  for (const name of names) {
    const rule = rules.get(name);
    // No real field: assigning it would change the prototype of the object.
    if (rule === "drop" || name === "__proto__") continue;
    const field = value[name];
    if (rule === "own") copied[name] = field;
    else if (rule === "keys") copied[name] = keysOf(field);
    else if (rule === "first") copied[name] = copy(Array.isArray(field) ? field.slice(0, 1) : field, UNCUT, copying);
    else if (!isUncut || typeof field === "string" || typeof field === "object") copied[name] = copy(field, rule ?? UNCUT, copying);
  }
  return copied;
}

function keysOf(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, ""]));
}
