import { canonicalText, isSame, isTree, listIn, textIn, type Tree } from "./json-tree.ts";
import type { Schema, SchemaCatalog } from "./schema.ts";

/**
 * Which fields an object has, in the shape of `fieldsV1`: `f:name` a field, `k:{…}` an item of a keyed list, `v:…` a member
 * of a set, `.` the thing itself; an empty object is a leaf.
 */
export type FieldSet = { [step: string]: FieldSet };

/** Where a walk stands: the value's schema, if known. */
export interface Typed {
  readonly catalog: SchemaCatalog;
  readonly schema: Schema | undefined;
}

/** Fields of the metadata that have no owner. */
const UNOWNED = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "generateName",
]);

/** All fields an object sets. */
export function fieldSetOf(object: unknown, typed: Typed): FieldSet {
  if (!isTree(object)) return {};
  const set: FieldSet = {};
  for (const [field, value] of Object.entries(object)) {
    if (field === "apiVersion" || field === "kind" || value === undefined) continue;
    if (field === "metadata") {
      const inner = isTree(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !UNOWNED.has(name))) : {};
      const fields = setOf(inner, childOf(typed, field));
      delete fields["."];
      if (Object.keys(fields).length > 0) set["f:metadata"] = fields;
    } else set[`f:${field}`] = setOf(value, childOf(typed, field), true);
  }
  return set;
}

function setOf(value: unknown, typed: Typed, top = false): FieldSet {
  if (isTree(value)) {
    if (isAtomic(typed)) return {};
    const set: FieldSet = top || Object.keys(value).length === 0 ? {} : { ".": {} };
    for (const [field, inner] of Object.entries(value)) if (inner !== undefined) set[`f:${field}`] = setOf(inner, childOf(typed, field));
    return set;
  }
  if (!Array.isArray(value)) return {};
  const steps = stepsOf(value, typed);
  if (!steps) return {};
  const items = itemOf(typed);
  const set: FieldSet = value.length === 0 ? {} : { ".": {} };
  for (const [index, step] of steps.entries()) set[step] = step.startsWith("k:") ? setOf(value[index], items) : {};
  return set;
}

/** Schema of a field below. */
export function childOf(typed: Typed, field: string): Typed {
  return { ...typed, schema: typed.schema && typed.catalog.fieldOf(typed.schema, field) };
}

/** Schema of the items of a list. */
export function itemOf(typed: Typed): Typed {
  return { ...typed, schema: typed.schema && typed.catalog.itemsOf(typed.schema) };
}

/** True for a map that is owned as a whole. */
export function isAtomic(typed: Typed): boolean {
  return textIn(typed.schema, "x-kubernetes-map-type") === "atomic";
}

/** One step per item of a list that merges (`k:` keyed, `v:` set); `undefined` for an atomic list. */
export function stepsOf(list: readonly unknown[], typed: Typed): string[] | undefined {
  const type = textIn(typed.schema, "x-kubernetes-list-type");
  if (type === "set") return list.map((item) => `v:${JSON.stringify(item)}`);
  if (type !== "map") return undefined;
  const keys = listIn(typed.schema, "x-kubernetes-list-map-keys").filter((one): one is string => typeof one === "string");
  const items = itemOf(typed);
  return list.map((item) => {
    const parts: Tree = {};
    for (const key of keys.toSorted()) {
      const fallback = items.schema && typed.catalog.fieldOf(items.schema, key)?.["default"];
      const own = isTree(item) ? item[key] : undefined;
      const value = own ?? fallback ?? (key === "protocol" ? "TCP" : undefined);
      if (value !== undefined) parts[key] = value;
    }
    return `k:${canonicalText(parts)}`;
  });
}

/** Fields of either. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  const result: FieldSet = { ...left };
  for (const [step, inner] of Object.entries(right)) {
    const own = left[step];
    if (own === undefined) result[step] = inner;
    // A leaf is the thing itself: beside a branch it becomes the branch's dot.
    else if (Object.keys(own).length === 0 || Object.keys(inner).length === 0) {
      const branch = Object.keys(own).length === 0 ? inner : own;
      result[step] = Object.keys(branch).length === 0 ? {} : { ...branch, ".": {} };
    } else result[step] = union(own, inner);
  }
  return result;
}

/** True when the set holds the thing itself, not only something below it. */
function isMember(set: FieldSet): boolean {
  return Object.keys(set).length === 0 || set["."] !== undefined;
}

/** Fields of `left` that `right` does not have. A branch disappears with its last leaf. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  const result: FieldSet = {};
  for (const [step, inner] of Object.entries(left)) {
    const other = right[step];
    if (other === undefined) result[step] = inner;
    else if (Object.keys(inner).length === 0) {
      if (!isMember(other)) result[step] = inner;
    } else {
      const rest = difference(inner, Object.keys(other).length === 0 ? { ".": {} } : other);
      if (Object.keys(rest).length > 0) result[step] = rest;
    }
  }
  return result;
}

/** Fields both have. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  const result: FieldSet = {};
  for (const [step, inner] of Object.entries(left)) {
    const other = right[step];
    if (other === undefined) continue;
    if (Object.keys(inner).length === 0 || Object.keys(other).length === 0) {
      if (isMember(inner) && isMember(other)) result[step] = {};
      continue;
    }
    const both = intersection(inner, other);
    if (Object.keys(both).length > 0) result[step] = both;
  }
  return result;
}

/** Fields of `after` whose value is new or differs from `before`. */
export function changedFields(before: unknown, after: unknown, typed: Typed): FieldSet {
  const all = fieldSetOf(after, typed);
  return keepChanged(all, before, { value: after, typed });
}

function keepChanged(set: FieldSet, before: unknown, after: { readonly value: unknown; readonly typed: Typed }): FieldSet {
  const result: FieldSet = {};
  for (const [step, inner] of Object.entries(set)) {
    if (step === ".") {
      if (before === undefined) result[step] = {};
      continue;
    }
    const next = follow(after.value, step, after.typed);
    const previous = follow(before, step, after.typed);
    if (Object.keys(inner).length === 0) {
      if (!isSame(previous.value, next.value)) result[step] = {};
      continue;
    }
    const changed = keepChanged(inner, previous.value, next);
    if (Object.keys(changed).length > 0) result[step] = changed;
  }
  return result;
}

/** The value one step further down. */
export function follow(value: unknown, step: string, typed: Typed): { readonly value: unknown; readonly typed: Typed } {
  if (step.startsWith("f:")) return { value: isTree(value) ? value[step.slice(2)] : undefined, typed: childOf(typed, step.slice(2)) };
  const index = Array.isArray(value) ? (stepsOf(value, typed) ?? []).indexOf(step) : -1;
  return { value: Array.isArray(value) && index >= 0 ? value[index] : undefined, typed: itemOf(typed) };
}
