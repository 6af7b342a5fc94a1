/** One schema of `GetSchemaResponse.schema`. */
export interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly ref?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly additionalProperties?: FieldSchema;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
}

/** The schema of a kind with all that it refers to. */
export interface KindSchema {
  readonly root: string;
  readonly schemas: Readonly<Record<string, FieldSchema>>;
}

/** A step into a document: a key, or an item of a list. */
export type YamlStep = string | typeof ITEM;
export const ITEM = Symbol("item");

/** Where a line of a document is: in which map, and at which of its keys. */
export interface YamlPlace {
  /** From the root to the map. */
  readonly path: readonly YamlStep[];
  /** The key of the line, as far as it is written; empty: none yet. */
  readonly key: string;
  /** Column of the key, from 0. */
  readonly column: number;
  /** Behind the key and its colon, where the value begins; absent: there is no colon. */
  readonly valueColumn?: number;
}

/** Lines above that are looked at: longer maps are not completed. */
const MAX_LINES = 5_000;
interface KeyLine {
  readonly column: number;
  readonly key: string;
  /** Columns of the dashes before the key, left to right. */
  readonly dashes: readonly number[];
  readonly valueColumn?: number;
}

/** What a key without quotes cannot begin with. */
const NO_KEY = new Set("#:'\"[]{},&*!|>-");

function keyLine(text: string): KeyLine | undefined {
  const [indent = ""] = /^ */.exec(text) ?? [];
  const [dashes = ""] = /^(?:- +)*/.exec(text.slice(indent.length)) ?? [];
  const column = indent.length + dashes.length;
  const rest = text.slice(column);
  const places = [...dashes.matchAll(/-/g)].map(({ index }) => indent.length + index);
  const quote = rest.startsWith('"') || rest.startsWith("'") ? rest.charAt(0) : "";
  if (quote === "" && NO_KEY.has(rest.charAt(0))) return undefined;
  const keyEnd = quote === "" ? 0 : rest.indexOf(quote, 1) + 1;
  if (quote !== "" && keyEnd === 0) return undefined;
  const colon = rest.slice(keyEnd).search(/:(?:\s|$)/);
  const written = colon < 0 ? rest : rest.slice(0, keyEnd + colon);
  const key = quote === "" ? written.trimEnd() : written.slice(1, keyEnd - 1).trim();
  // Behind a quoted key nothing but its colon; in another one no comment.
  if (quote === "" ? key.includes("#") : written.slice(keyEnd).trim() !== "") return undefined;
  const valueColumn = colon < 0 ? undefined : Math.min(text.length, column + keyEnd + colon + 2);
  return { column, key, dashes: places, ...(valueColumn !== undefined && { valueColumn }) };
}

/** The place of a line by the indentation of the lines above it; block style alone, as the cluster's objects are written. @param lines up to and with it */
export function placeOf(lines: readonly string[]): YamlPlace | undefined {
  const own = keyLine(lines.at(-1) ?? "");
  if (own === undefined) return undefined;
  const path: YamlStep[] = [];
  let column = own.column;
  // Between a dash and its list's key the column may be the same.
  let isInList = false;
  const enter = (dashes: readonly number[]): void => {
    for (const dash of dashes.toReversed()) {
      path.unshift(ITEM);
      column = dash;
      isInList = true;
    }
  };
  enter(own.dashes);
  for (let at = lines.length - 2; at >= Math.max(0, lines.length - MAX_LINES) && (column > 0 || isInList); at -= 1) {
    const line = keyLine(lines[at] ?? "");
    if (line === undefined || line.valueColumn === undefined) continue;
    if (line.column < column || (isInList && line.column === column && line.dashes.length === 0)) {
      path.unshift(line.key);
      ({ column } = line);
      isInList = false;
      enter(line.dashes);
    } else if (line.column === column && !isInList && line.dashes.length > 0) enter(line.dashes);
  }
  const { valueColumn } = own;
  return { path, key: own.key, column: own.column, ...(valueColumn !== undefined && { valueColumn }) };
}

/** The schema at a path; `undefined` where it is not known. */
export function schemaAt({ root, schemas }: KindSchema, path: readonly YamlStep[]): FieldSchema | undefined {
  const resolved = (schema: FieldSchema | undefined): FieldSchema | undefined => {
    const target = schema?.ref === undefined ? undefined : schemas[schema.ref];
    // What the reference says of itself is more exact than what its target says.
    return target === undefined ? schema : { ...target, ...schema };
  };
  let schema = resolved(schemas[root]);
  for (const step of path) {
    if (schema === undefined) return undefined;
    const { properties, items, additionalProperties } = schema;
    schema = resolved(
      step === ITEM ? items : properties !== undefined && Object.hasOwn(properties, step) ? properties[step] : additionalProperties,
    );
  }
  return schema;
}

/** Keys that a map can have, and values that a field can have. */
export function optionsAt(
  kind: KindSchema,
  { path, key, valueColumn }: YamlPlace,
): readonly { readonly label: string; readonly schema: FieldSchema }[] {
  if (valueColumn !== undefined) {
    const schema = schemaAt(kind, [...path, key]);
    const values = schema?.enum ?? (schema?.type === "boolean" ? ["true", "false"] : []);
    return values.map((label) => ({ label, schema: { type: "enum" } }));
  }
  const keys = Object.keys(schemaAt(kind, path)?.properties ?? {});
  return keys.flatMap((label) => {
    const schema = schemaAt(kind, [...path, label]);
    return schema === undefined || (path.length === 0 && label === "status") ? [] : [{ label, schema }];
  });
}

/** Reads a schema of the server. @returns `undefined` for what is none */
export function parseSchema(text: string): KindSchema | undefined {
  if (text === "") return undefined;
  // It is made by `get-schema.ts`.
  return JSON.parse(text) as KindSchema;
}
