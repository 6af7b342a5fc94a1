import type { ApiObject } from "./api-object.ts";
import { ageText } from "./durations.ts";
import { valueIn } from "./json-tree.ts";
import { metadataText, objectText } from "./representation.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { AGE, CREATED, NAME, type Column } from "./table-cells.ts";
import { COLUMNS } from "./table-columns.ts";

/** How a table is to be built. */
export interface TableOptions {
  readonly of: ResourceDefinition;
  /** `includeObject` of the request. */
  readonly include: string;
  readonly now: number;
  /** JSON text of the table's own metadata. */
  readonly metadata: string;
  readonly withColumns: boolean;
}

/** JSON of a `Table` (meta.k8s.io/v1) of objects. */
export function tableText(objects: readonly ApiObject[], options: TableOptions): string {
  const columns = columnsOf(options.of);
  const definitions = columns.map(({ name, type, priority }) => ({
    name,
    type,
    format: name === "Name" ? "name" : "",
    description: "",
    priority,
  }));
  const rows = objects.map((object) => {
    const cells = JSON.stringify(columns.map(({ cell }) => cell(object, options.now)));
    return `{"cells":${cells},"object":${includedText(object, options)}}`;
  });
  const head = options.withColumns ? JSON.stringify(definitions) : "null";
  return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${options.metadata},"columnDefinitions":${head},"rows":[${rows.join(",")}]}`;
}

function includedText(object: ApiObject, { include, of }: TableOptions): string {
  if (include === "Object") return objectText(object, of);
  return include === "None" ? "null" : metadataText(object);
}

function columnsOf(of: ResourceDefinition): readonly Column[] {
  const known = COLUMNS[of.storage];
  if (known) return known;
  if (!of.printerColumns || of.printerColumns.length === 0) return [NAME, of.custom ? AGE : CREATED];
  const own = of.printerColumns.map((printer) => ({
    name: printer.name,
    type: printer.type,
    priority: printer.priority ?? 0,
    cell: (object: ApiObject, now: number) => {
      const value = readJsonPath(object, printer.jsonPath);
      return printer.type === "date" && typeof value === "string" ? ageText(value, now) : (value ?? null);
    },
  }));
  return [NAME, ...own];
}

/** The subset of JSONPath CRDs use: `.a.b`, `.a[0]`, `.a["b"]`, `.a[?(@.type=="Ready")].status`. */
function readJsonPath(root: unknown, path: string): unknown {
  let current: unknown = root;
  for (const match of path.matchAll(
    /\.?([A-Za-z0-9_-]+)|\[(\d+)\]|\[['"]([^'"]+)['"]\]|\[\?\(@\.([A-Za-z0-9_.]+)\s*==\s*['"]([^'"]*)['"]\)\]/g,
  )) {
    const [, field, index, quoted, filterField, filterValue] = match;
    if (filterField !== undefined) {
      current = Array.isArray(current) ? current.find((item) => valueIn(item, ...filterField.split(".")) === filterValue) : undefined;
    } else current = valueIn(current, index === undefined ? (field ?? quoted ?? "") : Number(index));
  }
  return current;
}
