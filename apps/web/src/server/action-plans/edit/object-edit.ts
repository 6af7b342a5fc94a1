import type { JsonPatchOperation } from "@binnacle/environment-view";
import { fieldPath, isFields, itemNames, itemPath } from "@binnacle/kube";

/** An item of a list by the field that names it. */
interface ItemStep {
  readonly by: string;
  readonly name: string;
}

/** One field that is different. `undefined` is absent. */
export interface FieldEdit {
  /** Keys of maps, and items of lists whose items have names; other lists are one value. */
  readonly steps: readonly (string | ItemStep)[];
  readonly before: unknown;
  readonly after: unknown;
  /** Of an item that is new: its place in the list. */
  readonly place?: number;
}

/** An edit that was not made, and the value that the field has instead of `edit.before`. */
export interface EditCollision {
  readonly edit: FieldEdit;
  readonly present: unknown;
}

/** An object after edits, and the patch that makes it. */
export interface EditedObject {
  readonly content: unknown;
  /** RFC 6902; each value that it replaces is tested. Empty: the object has all of it already. */
  readonly patch: readonly JsonPatchOperation[];
  readonly collisions: readonly EditCollision[];
}

/**
 * What is different between two objects, field by field. Lists are compared item by item where all items have a name and keep their order;
 * others are one value, since the place of an item does not say which one it is.
 */
export function diffObjects(before: unknown, after: unknown): readonly FieldEdit[] {
  const comparison = new Comparison();
  comparison.values({ before, after, steps: [] });
  return comparison.found;
}

class Comparison {
  readonly found: FieldEdit[] = [];

  values(pair: FieldEdit): void {
    const { before, after, steps } = pair;
    if (isSame(before, after)) return;
    if (isFields(before) && isFields(after)) {
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
        this.values({ before: own(before, key), after: own(after, key), steps: [...steps, key] });
    } else if (!(Array.isArray(before) && Array.isArray(after) && this.#lists(before, after, steps))) this.found.push(pair);
  }

  /** @returns whether the lists could be compared item by item */
  #lists(before: readonly unknown[], after: readonly unknown[], steps: FieldEdit["steps"]): boolean {
    const [known, now] = [itemNames(before), itemNames(after)];
    const { by } = known;
    if (by === "" || now.by !== by) return false;
    const [was, is] = [new Map(known.names.map((name, index) => [name, before[index]])), new Set(now.names)];
    const common = known.names.filter((name) => is.has(name));
    const commonNow = now.names.filter((name) => was.has(name));
    if (common.some((name, index) => commonNow[index] !== name)) return false;
    const at = (name: string): FieldEdit["steps"] => [...steps, { by, name }];
    for (const [index, name] of now.names.entries())
      if (was.has(name)) this.values({ before: was.get(name), after: after[index], steps: at(name) });
    for (const name of known.names) if (!is.has(name)) this.found.push({ steps: at(name), before: was.get(name), after: undefined });
    for (const [place, name] of now.names.entries())
      if (!was.has(name)) this.found.push({ steps: at(name), before: undefined, after: after[place], place });
    return true;
  }
}

/** How edits are made on an object that may be another than they were found in. */
export interface EditRules {
  /** Whether a field has the value that an edit expects; default: the same value. */
  readonly hasBefore?: (edit: FieldEdit, present: unknown) => boolean;
  /** Fields that have another value are written too. */
  readonly overwrites?: boolean;
}

/** Makes edits on an object, which is not mutated. An edit whose field has neither value, and whatever it would need, is a collision. */
export function applyEdits(object: unknown, edits: readonly FieldEdit[], rules: EditRules = {}): EditedObject {
  const { hasBefore = (edit, present) => isSame(edit.before, present), overwrites = false } = rules;
  const content: unknown = structuredClone(object);
  const patch: JsonPatchOperation[] = [];
  const collisions: EditCollision[] = [];
  for (const edit of edits) {
    const found = fieldOf(content, edit.steps);
    const { after } = edit;
    if (found !== undefined && isSame(found.present, after)) continue;
    if (found === undefined && after === undefined) continue;
    if (found === undefined || !(overwrites || hasBefore(edit, found.present))) {
      collisions.push({ edit, present: found?.present });
      continue;
    }
    write(found, edit, patch);
  }
  return { content, patch, collisions };
}

/** A field in an object; `key` is its name, or its place in a list (-1: it is not in the list). */
interface Field {
  readonly pointer: string;
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly present: unknown;
}

/** @returns `undefined` when nothing is there that could have it */
function fieldOf(root: unknown, steps: FieldEdit["steps"]): Field | undefined {
  let field: Field | undefined;
  let value: unknown = root;
  for (const step of steps) {
    const pointer = field === undefined ? "" : `${field.pointer}/${pointerStep(field.key)}`;
    if (typeof step === "string") {
      if (!isFields(value)) return undefined;
      field = { pointer, parent: value, key: step, present: own(value, step) };
    } else {
      if (!Array.isArray(value)) return undefined;
      const key = value.findIndex((item) => isFields(item) && String(own(item, step.by)) === step.name);
      field = { pointer, parent: value, key, present: value[key] };
    }
    value = field.present;
  }
  return field;
}

function write({ pointer, parent, key, present }: Field, { after, place = 0 }: FieldEdit, patch: JsonPatchOperation[]): void {
  const at = typeof key === "number" && key < 0 && Array.isArray(parent) ? Math.min(place, parent.length) : key;
  const path = `${pointer}/${pointerStep(at)}`;
  if (present !== undefined) patch.push({ op: "test", path, value: structuredClone(present) });
  if (after === undefined) patch.push({ op: "remove", path });
  else patch.push({ op: present === undefined ? "add" : "replace", path, value: after });
  if (Array.isArray(parent))
    parent.splice(Number(at), present === undefined ? 0 : 1, ...(after === undefined ? [] : [structuredClone(after)]));
  else if (after === undefined) Reflect.deleteProperty(parent, key);
  // An assignment to `__proto__` would not make a field.
  else Object.defineProperty(parent, key, { value: structuredClone(after), writable: true, enumerable: true, configurable: true });
}

/** The path of an edit for people: "spec.template.spec.containers[web].image". */
export function pathOfEdit({ steps }: Pick<FieldEdit, "steps">): string {
  return steps.reduce<string>((path, step) => (typeof step === "string" ? fieldPath(path, step) : itemPath(path, step.name)), "");
}

/** Whether two values are the same JSON; the order of keys does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isFields(one) || !isFields(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

/** The value at a path of keys; `undefined` where there is none. */
export function valueAt(root: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (isFields(value) ? own(value, key) : undefined), root);
}

function own(fields: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** RFC 6901, section 3. */
function pointerStep(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}
