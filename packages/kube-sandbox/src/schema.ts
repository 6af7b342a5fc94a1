import { readDataLines } from "./data-files.ts";
import { isTree, listIn, textIn, treeIn, valueIn, type Tree } from "./json-tree.ts";

/** A node of an OpenAPI v3 schema, as plain JSON. */
export type Schema = Tree;

const PREFIX = "#/components/schemas/";

/** The schemas of the built-in kinds. Built once, never changed. */
export class SchemaCatalog {
  readonly #schemas = new Map<string, Schema>();
  readonly #nameByKind = new Map<string, string>();

  constructor() {
    for (const line of readDataLines("schemas.jsonl")) {
      const name = textIn(line, "name") ?? "";
      const schema = treeIn(line, "schema");
      this.#schemas.set(name, schema);
      for (const gvk of listIn(schema, "x-kubernetes-group-version-kind")) {
        const key = `${textIn(gvk, "group")}/${textIn(gvk, "version")}/${textIn(gvk, "kind")}`;
        if (!this.#nameByKind.has(key)) this.#nameByKind.set(key, name);
      }
    }
  }

  /** Name of the schema of a kind, as in `components.schemas`. */
  nameOf(of: { readonly group: string; readonly version: string; readonly kind: string }): string | undefined {
    return this.#nameByKind.get(`${of.group}/${of.version}/${of.kind}`);
  }

  get(name: string): Schema | undefined {
    return this.#schemas.get(name);
  }

  /** The schema with all it refers to, by name: what a `components.schemas` must hold. */
  closureOf(names: Iterable<string>): Record<string, Schema> {
    const found: Record<string, Schema> = {};
    const visit = (name: string): void => {
      const schema = this.#schemas.get(name);
      if (schema === undefined || found[name] !== undefined) return;
      found[name] = schema;
      referencesIn(schema).forEach(visit);
    };
    for (const name of names) visit(name);
    return found;
  }

  /** The node itself behind `$ref` and a one-element `allOf`; list and map markers beside the reference are kept. */
  resolve(node: Schema): Schema {
    const only = listIn(node, "allOf")[0];
    const reference = textIn(node, "$ref") ?? textIn(only, "$ref");
    if (reference === undefined) return node;
    const target = this.#schemas.get(reference.slice(PREFIX.length));
    if (target === undefined) return {};
    const resolved = this.resolve(target);
    return node["x-kubernetes-map-type"] === undefined ? resolved : { ...resolved, "x-kubernetes-map-type": node["x-kubernetes-map-type"] };
  }

  /** Schema of a field of an object node; `undefined` = unknown field. */
  fieldOf(node: Schema, field: string): Schema | undefined {
    const properties = node["properties"];
    const own = isTree(properties) ? properties[field] : undefined;
    if (isTree(own)) return this.resolve(own);
    const additional = node["additionalProperties"];
    if (isTree(additional)) return this.resolve(additional);
    return undefined;
  }

  /** Schema of the items of a list node. */
  itemsOf(node: Schema): Schema {
    return this.resolve(treeIn(node, "items"));
  }
}

/** True when the node takes fields it does not name. */
export function isOpen(node: Schema): boolean {
  if (node["x-kubernetes-preserve-unknown-fields"] === true || node["x-kubernetes-embedded-resource"] === true) return true;
  if (node["additionalProperties"] === true) return true;
  return valueIn(node, "properties") === undefined && !isTree(node["additionalProperties"]);
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner.slice(PREFIX.length)] : referencesIn(inner),
  );
}
