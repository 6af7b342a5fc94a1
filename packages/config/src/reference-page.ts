import { z } from "zod";

import { duration } from "./duration.ts";

/** One key of a configuration. */
export interface ReferenceRow {
  /** `agent.listen.address` */
  readonly path: string;
  /** "string", "duration", "number", "boolean", "list of string", "one of a, b" */
  readonly type: string;
  /** As written in the file; "required" or "none" when there is no default. */
  readonly fallback: string;
  readonly description: string;
}

/** A value of a schema, without what is wrapped around it. */
interface SchemaNode {
  /** What the file holds: the input side of transforms. */
  readonly schema: z.core.$ZodType;
  readonly description: string | undefined;
  /** The default as one writes it in the file; `undefined`: none. */
  readonly fallback: unknown;
  /** False: the key must be there. */
  readonly optional: boolean;
  /** Text like "20s". */
  readonly isDuration: boolean;
}

/** Every leaf key of a schema, in the order it was written; what an optional group is for stands with the group's own row. */
export function referenceRows(schema: z.core.$ZodType, path: readonly string[] = []): ReferenceRow[] {
  const node = unwrapSchema(schema);
  if (node.schema instanceof z.ZodObject) {
    const keys = Object.entries(shapeOf(node.schema)).flatMap(([key, value]) => referenceRows(value, [...path, key]));
    if (node.description === undefined) return keys;
    return [{ path: path.join("."), type: "group", fallback: fallbackOf(node), description: node.description }, ...keys];
  }
  const row = { path: path.join("."), fallback: fallbackOf(node), description: node.description ?? "" };
  if (node.schema instanceof z.ZodRecord && unwrapSchema(node.schema.def.valueType).schema instanceof z.ZodObject) {
    return [{ ...row, type: "map" }, ...referenceRows(node.schema.def.valueType, [...path, "<name>"])];
  }
  if (node.schema instanceof z.ZodArray && unwrapSchema(node.schema.element).schema instanceof z.ZodObject)
    return [{ ...row, type: "list" }, ...referenceRows(node.schema.element, [...path.slice(0, -1), `${path.at(-1)}[]`])];
  const type = node.isDuration ? "duration" : typeName(node.schema);
  return [{ ...row, type }];
}

/**
 * The Markdown page of a configuration, formatted as Prettier would: one table row for each key.
 *
 * @param notes Markdown that follows the table: what concerns more than one key
 */
export function referencePage(schema: z.core.$ZodType, title: string, notes?: string): string {
  const head = ["Key", "Type", "Default", "Meaning"];
  const rows = referenceRows(schema).map(({ path, type, fallback, description }) => [
    `\`${path}\``,
    type,
    fallback,
    description.replaceAll("|", "\\|"),
  ]);
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [
    `# ${title}`,
    "",
    "Generated from the schema; do not edit.",
    "",
    line(head),
    rule,
    ...rows.map(line),
    ...(notes === undefined ? [] : ["", notes]),
    "",
  ].join("\n");
}

/** Paths of keys without a description; a schema should have none. */
export function undescribedKeys(schema: z.core.$ZodType): string[] {
  return referenceRows(schema)
    .filter(({ description }) => description === "")
    .map(({ path }) => path);
}

function fallbackOf(node: { readonly fallback: unknown; readonly optional: boolean }): string {
  if (node.fallback === undefined) return node.optional ? "none" : "required";
  return `\`${JSON.stringify(node.fallback)}\``;
}

function typeName(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.map((option) => (option === "" ? '""' : option)).join(", ")}`;
  if (schema instanceof z.ZodArray) return `list of ${typeName(unwrapSchema(schema.element).schema)}`;
  // Shaped by rules of its own, which the description tells.
  if (schema instanceof z.ZodUnknown) return "YAML";
  if (schema instanceof z.ZodRecord) return `map of ${typeName(unwrapSchema(schema.def.valueType).schema)}`;
  return schema._zod.def.type;
}

/** Takes optional, default, transform and the like off a schema and keeps what they state. */
function unwrapSchema(schema: z.core.$ZodType): SchemaNode {
  let current = schema;
  let description: string | undefined;
  let fallback: unknown;
  let optional = false;
  let isDuration = false;
  for (;;) {
    isDuration ||= current === duration;
    description ??= z.globalRegistry.get(current)?.description;
    if (current instanceof z.ZodOptional || current instanceof z.ZodNullable) optional = true;
    else if (current instanceof z.ZodDefault || current instanceof z.ZodPrefault) {
      fallback ??= current.def.defaultValue;
      optional = true;
    }
    if (current instanceof z.ZodPipe) current = current.def.in;
    else if (
      current instanceof z.ZodOptional ||
      current instanceof z.ZodNullable ||
      current instanceof z.ZodDefault ||
      current instanceof z.ZodPrefault ||
      current instanceof z.ZodReadonly
    ) {
      current = current.def.innerType;
    } else return { schema: current, description, fallback, optional, isDuration };
  }
}

/** Keys of an object schema, in the order they were written. */
function shapeOf(schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> {
  return schema.shape;
}
