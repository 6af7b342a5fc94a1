import { fieldPath, itemNames, itemPath } from "./field-path.ts";
import type { KubeObject } from "./kube-object.ts";
import { fieldsOf, isFields } from "./loose-json.ts";
import { isAnnotationProjected } from "./project-object.ts";
import { PROJECTED_KINDS } from "./projected-kinds.ts";
import type { Cut, FieldRule } from "./projection.ts";
import { groupOf } from "./resource-kind.ts";

/** Receives each field that is left out. @param value as it came; must not be retained */
export type DroppedField = (path: string, value: unknown) => void;

/** Fields that are reported when they are left out; of the rest, neither the value nor its writer is. */
const FIELDS: readonly string[] = ["spec", "data", "binaryData", "stringData"];

/**
 * Every part of `spec`, of the data and of the annotations that `projectObject` leaves out of an object, as large as possible, with its path.
 * Of the texts of data there is one for each key. Nothing for kinds that are not cut.
 */
export function forEachDropped(object: KubeObject, visit: DroppedField): void {
  const rules = rulesOf(object);
  if (rules === undefined) return;
  for (const [name, text] of Object.entries(fieldsOf(object.metadata.annotations))) {
    if (!isAnnotationProjected(name, text)) visit(fieldPath("metadata.annotations", name), text);
  }
  for (const name of FIELDS) {
    const rule = rules.get(name);
    if (rule !== undefined && object[name] !== undefined) walkField(object[name], rule, { path: name, visit });
  }
}

/** The parts of `spec` that `projectObject` leaves out of an object, in its order, without their paths: of many objects that costs much less. */
export function droppedOfSpec(object: KubeObject): readonly unknown[] {
  const rule = rulesOf(object)?.get("spec");
  const found: unknown[] = [];
  if (rule !== undefined && object["spec"] !== undefined) collect(object["spec"], rule, found);
  return found;
}

function rulesOf({ apiVersion, kind }: KubeObject): Cut | undefined {
  return PROJECTED_KINDS.get(`${groupOf(apiVersion)}/${kind}`);
}

function collect(value: unknown, rule: FieldRule, found: unknown[]): void {
  if (rule === "own") return;
  if (typeof rule === "string") return void found.push(value);
  if (Array.isArray(value)) {
    for (const item of value) collect(item, rule, found);
    return;
  }
  if (!isFields(value)) return;
  // Objects have fewer fields than there are rules.
  for (const name in value) {
    const below = rule.get(name);
    if (below !== undefined) collect(value[name], below, found);
  }
}

interface Walk {
  readonly path: string;
  readonly visit: DroppedField;
}

/** As deep as the rules are. */
function walkField(value: unknown, rule: FieldRule, { path, visit }: Walk): void {
  if (rule === "own") return;
  if (rule === "drop" || rule === "first") return visit(path, value);
  if (rule === "keys") {
    for (const [name, text] of Object.entries(fieldsOf(value))) visit(fieldPath(path, name), text);
    return;
  }
  if (Array.isArray(value)) {
    const { names } = itemNames(value);
    for (const [index, item] of value.entries()) walkFields(item, rule, { path: itemPath(path, names[index] ?? String(index)), visit });
  } else walkFields(value, rule, { path, visit });
}

function walkFields(value: unknown, rules: Cut, { path, visit }: Walk): void {
  if (!isFields(value)) return;
  for (const [name, rule] of rules) if (value[name] !== undefined) walkField(value[name], rule, { path: fieldPath(path, name), visit });
}
