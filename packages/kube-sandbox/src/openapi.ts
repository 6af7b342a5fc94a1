import { createHash } from "node:crypto";

import { isTree, type Tree } from "./json-tree.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import type { ResourceRegistry } from "./resource-registry.ts";
import type { SchemaCatalog } from "./schema.ts";

/** Answers `/openapi/v3`: the index, and one document per group version with exactly what is served. */
export class OpenApi {
  readonly #registry: ResourceRegistry;
  readonly #catalog: SchemaCatalog;
  readonly #cache = new Map<string, string>();
  #cachedGeneration = -1;

  constructor(registry: ResourceRegistry, catalog: SchemaCatalog) {
    this.#registry = registry;
    this.#catalog = catalog;
  }

  /** The JSON text at a path below `/openapi/v3`; `undefined` when nothing is there. */
  document(path: string): string | undefined {
    if (this.#cachedGeneration !== this.#registry.generation) {
      this.#cache.clear();
      this.#cachedGeneration = this.#registry.generation;
    }
    const key = path.replace(/^\/openapi\/v3\/?/, "");
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const body = key === "" ? this.#index() : this.#groupVersion(key);
    if (body !== undefined) this.#cache.set(key, body);
    return body;
  }

  #index(): string {
    const keys = new Set(this.#registry.all().map(keyOf));
    const paths = Object.fromEntries(
      [...keys].map((key) => {
        const hash = createHash("sha512")
          .update(this.document(`/openapi/v3/${key}`) ?? "")
          .digest("hex")
          .toUpperCase();
        return [key, { serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` }];
      }),
    );
    return JSON.stringify({ paths });
  }

  #groupVersion(key: string): string | undefined {
    const own = this.#registry.all().filter((one) => keyOf(one) === key);
    if (own.length === 0) return undefined;
    const schemas = this.#catalog.closureOf(own.flatMap((one) => this.#catalog.nameOf(one) ?? []));
    const paths: Tree = {};
    for (const one of own) {
      if (one.custom) schemas[customName(one)] = customSchema(one);
      Object.assign(paths, pathsOf(one, key, one.custom ? customName(one) : this.#catalog.nameOf(one)));
    }
    if (own.some((one) => one.custom)) Object.assign(schemas, this.#catalog.closureOf(["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"]));
    return JSON.stringify({ openapi: "3.0.0", info: { title: "Kubernetes", version: "v1.36.3" }, paths, components: { schemas } });
  }
}

function keyOf(of: ResourceDefinition): string {
  return of.group === "" ? `api/${of.version}` : `apis/${of.group}/${of.version}`;
}

function customName(of: ResourceDefinition): string {
  return `${of.group.split(".").reverse().join(".")}.${of.version}.${of.kind}`;
}

function customSchema(of: ResourceDefinition): Tree {
  const properties = isTree(of.schema?.["properties"]) ? of.schema["properties"] : {};
  const meta = {
    allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }],
    description: "Standard object's metadata.",
  };
  return {
    type: "object",
    ...of.schema,
    properties: { ...properties, apiVersion: { type: "string" }, kind: { type: "string" }, metadata: meta },
    "x-kubernetes-group-version-kind": [{ group: of.group, version: of.version, kind: of.kind }],
  };
}

function pathsOf(of: ResourceDefinition, key: string, schema: string | undefined): Tree {
  const gvk = { group: of.group, version: of.version, kind: of.kind };
  const parameter = (name: string): Tree => ({ name, in: "query", schema: { type: "string", uniqueItems: true } });
  const write = ["dryRun", "fieldManager", "fieldValidation"].map(parameter);
  const content = schema === undefined ? {} : { content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } } };
  const operation = (action: string, extra: Tree): Tree => ({
    tags: [apiVersionOf(of)],
    operationId: `${action}${of.kind}`,
    responses: { "200": { description: "OK", ...content } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": gvk,
    ...extra,
  });
  const base = `/${key}/${of.namespaced ? "namespaces/{namespace}/" : ""}${of.plural}`;
  const collection: Tree = {};
  const item: Tree = {};
  if (of.verbs.includes("list")) collection["get"] = operation("list", {});
  if (of.verbs.includes("create")) collection["post"] = operation("post", { parameters: write, requestBody: content });
  if (of.verbs.includes("get")) item["get"] = operation("get", {});
  if (of.verbs.includes("update")) item["put"] = operation("put", { parameters: write, requestBody: content });
  if (of.verbs.includes("patch")) item["patch"] = operation("patch", { parameters: [...write, parameter("force")] });
  if (of.verbs.includes("delete")) item["delete"] = operation("delete", {});
  return { [base]: collection, ...(Object.keys(item).length > 0 ? { [`${base}/{name}`]: item } : {}) };
}
