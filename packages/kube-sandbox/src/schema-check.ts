import type { StatusCause } from "./api-error.ts";
import { isTree, listIn, numberIn, textIn, type Tree } from "./json-tree.ts";
import { isOpen, type Schema, type SchemaCatalog } from "./schema.ts";

/** What a check found. Paths are dotted, with list indexes in brackets. */
export interface ShapeReport {
  /** The value without unknown fields and without nulls, defaults of the schema filled in for custom resources. */
  readonly value: unknown;
  /** Paths of fields the schema does not know. */
  readonly unknown: readonly string[];
  /** Values of a wrong type or missing required fields. */
  readonly causes: readonly StatusCause[];
}

interface Walk {
  readonly catalog: SchemaCatalog;
  readonly unknown: string[];
  readonly causes: StatusCause[];
  /** Custom resources: the schema's own bounds and defaults count; built-in kinds have theirs in code. */
  readonly custom: boolean;
}

/** Holds a value against its schema. Pure: the input is not changed. */
export function checkShape(
  schema: Schema,
  value: unknown,
  options: { readonly catalog: SchemaCatalog; readonly custom: boolean },
): ShapeReport {
  const walk: Walk = { ...options, unknown: [], causes: [] };
  const checked = visit(walk, { node: options.catalog.resolve(schema), path: "" }, value);
  return { value: checked, unknown: walk.unknown, causes: walk.causes };
}

interface Place {
  readonly node: Schema;
  readonly path: string;
}

function visit(walk: Walk, place: Place, value: unknown): unknown {
  const { node, path } = place;
  if (isTree(node["properties"]) || isTree(node["additionalProperties"]) || node["type"] === "object")
    return visitObject(walk, place, value);
  if (node["type"] === "array") {
    if (!Array.isArray(value)) return wrongType(walk, place, { value, type: "array" });
    const items = walk.catalog.itemsOf(node);
    return value.map((item, index) => visit(walk, { node: items, path: `${path}[${index}]` }, item));
  }
  const type = textIn(node, "type");
  if (node["x-kubernetes-int-or-string"] === true || type === undefined) return value;
  if (!isOfType(value, type)) return wrongType(walk, place, { value, type });
  if (walk.custom) checkBounds(walk, place, value);
  return value;
}

function visitObject(walk: Walk, place: Place, value: unknown): unknown {
  const { node, path } = place;
  if (!isTree(value)) return wrongType(walk, place, { value, type: "object" });
  const result: Tree = {};
  for (const [field, inner] of Object.entries(value)) {
    if (inner === null && !walk.custom) continue;
    const at = joined(path, field);
    const schema = walk.catalog.fieldOf(node, field);
    if (schema === undefined) {
      if (isOpen(node) || (path === "" && ["apiVersion", "kind", "metadata"].includes(field))) result[field] = inner;
      else walk.unknown.push(at);
    } else if (inner === null) {
      if (schema["nullable"] === true) result[field] = null;
    } else if (path === "" && field === "metadata") {
      result[field] = walk.custom ? inner : visit(walk, { node: schema, path: at }, inner);
    } else result[field] = visit(walk, { node: schema, path: at }, inner);
  }
  if (walk.custom) fillDefaults(walk, node, result);
  // What a controller reports is never refused for being incomplete.
  if (path === "status" || path.startsWith("status.")) return result;
  for (const field of listIn(node, "required")) {
    if (typeof field === "string" && result[field] === undefined && value[field] === undefined) {
      walk.causes.push({ reason: "FieldValueRequired", message: "Required value", field: joined(path, field) });
    }
  }
  return result;
}

function fillDefaults(walk: Walk, node: Schema, result: Tree): void {
  const properties = node["properties"];
  if (!isTree(properties)) return;
  for (const [field, schema] of Object.entries(properties)) {
    if (result[field] !== undefined || !isTree(schema) || schema["default"] === undefined) continue;
    const filled = structuredClone(schema["default"]);
    result[field] = visit(walk, { node: walk.catalog.resolve(schema), path: field }, filled);
  }
}

function joined(path: string, field: string): string {
  return path === "" ? field : `${path}.${field}`;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeof value === type;
}

function wrongType(walk: Walk, place: Place, found: { readonly value: unknown; readonly type: string }): unknown {
  const actual = Array.isArray(found.value) ? "array" : found.value === null ? "null" : typeof found.value;
  const message = `Invalid value: "${actual}": ${place.path} in body must be of type ${found.type}: "${actual}"`;
  walk.causes.push({ reason: "FieldValueTypeInvalid", message, field: place.path });
  return found.value;
}

function checkBounds(walk: Walk, place: Place, value: unknown): void {
  const { node, path } = place;
  const refuse = (text: string): void => {
    walk.causes.push({
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(value)}: ${path} in body ${text}`,
      field: path,
    });
  };
  const allowed = listIn(node, "enum");
  if (allowed.length > 0 && !allowed.includes(value)) {
    const list = allowed.map((one) => JSON.stringify(one)).join(", ");
    walk.causes.push({
      reason: "FieldValueNotSupported",
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`,
      field: path,
    });
  }
  if (typeof value === "number") {
    const least = numberIn(node, "minimum");
    const most = numberIn(node, "maximum");
    if (least !== undefined && value < least) refuse(`should be greater than or equal to ${least}`);
    if (most !== undefined && value > most) refuse(`should be less than or equal to ${most}`);
  }
  if (typeof value === "string") {
    const shortest = numberIn(node, "minLength");
    const longest = numberIn(node, "maxLength");
    if (shortest !== undefined && value.length < shortest) refuse(`should be at least ${shortest} chars long`);
    if (longest !== undefined && value.length > longest) refuse(`should be at most ${longest} chars long`);
    const pattern = textIn(node, "pattern");
    if (pattern !== undefined && value.length <= 10_000 && !new RegExp(pattern, "u").test(value)) refuse(`should match '${pattern}'`);
  }
}
