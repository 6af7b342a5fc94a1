import { readDataLines } from "./data-files.ts";
import { listIn, textIn, valueIn, type Tree } from "./json-tree.ts";
import type { ResourceDefinition, SubresourceDefinition } from "./resource-definition.ts";
import type { SchemaCatalog } from "./schema.ts";

/** Versions that are only a view on another stored version. */
const STORED_AS: Readonly<Record<string, string>> = { "autoscaling/horizontalpodautoscalers": "v2" };

/** Every resource this server serves: the built-in ones and those CRDs add. Order of groups is kept: kubectl prefers the first. */
export class ResourceRegistry {
  readonly #definitions = new Map<string, ResourceDefinition>();
  #generation = 0;

  constructor(catalog: SchemaCatalog) {
    for (const definition of builtInDefinitions(catalog)) this.#definitions.set(keyOf(definition), definition);
  }

  /** Grows with every change: what is derived from the registry can be cached under it. */
  get generation(): number {
    return this.#generation;
  }

  all(): ResourceDefinition[] {
    return [...this.#definitions.values()];
  }

  find(group: string, version: string, plural: string): ResourceDefinition | undefined {
    return this.#definitions.get(`${group}/${version}/${plural}`);
  }

  /** By kind; any version when `version` is absent. */
  findKind(group: string, kind: string, version?: string): ResourceDefinition | undefined {
    return this.all().find((one) => one.group === group && one.kind === kind && (version === undefined || one.version === version));
  }

  /** The definition in the stored version. */
  findStorage(storage: string): ResourceDefinition | undefined {
    return this.all().find((one) => one.storage === storage && one.version === one.storageVersion);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.all().some((one) => one.group === group && one.version === version);
  }

  /** From now on this is served too. */
  add(definition: ResourceDefinition): void {
    this.#definitions.set(keyOf(definition), definition);
    this.#generation += 1;
  }

  /** Replaces all custom definitions of one storage table; an empty list takes them away. */
  setCustom(storage: string, definitions: readonly ResourceDefinition[]): void {
    for (const [key, one] of this.#definitions) if (one.custom && one.storage === storage) this.#definitions.delete(key);
    for (const one of definitions) this.#definitions.set(keyOf(one), one);
    this.#generation += 1;
  }
}

function keyOf(definition: ResourceDefinition): string {
  return `${definition.group}/${definition.version}/${definition.plural}`;
}

function textsAt(line: Tree, field: string): string[] {
  return listIn(line, field).filter((one): one is string => typeof one === "string");
}

function builtInDefinitions(catalog: SchemaCatalog): ResourceDefinition[] {
  const lines = readDataLines("resources.jsonl");
  return lines
    .filter((line) => !(textIn(line, "name") ?? "").includes("/"))
    .map((line) => {
      const groupVersion = textIn(line, "groupVersion") ?? "";
      const [group, version] = splitGroupVersion(groupVersion);
      const plural = textIn(line, "name") ?? "";
      const kind = textIn(line, "kind") ?? "";
      const own = lines.filter(
        (other) => textIn(other, "groupVersion") === groupVersion && textIn(other, "name")?.startsWith(`${plural}/`),
      );
      const schema = catalog.get(catalog.nameOf({ group, version, kind }) ?? "");
      const storage = `${group}/${plural}`;
      return {
        group,
        version,
        plural,
        kind,
        storage,
        singular: textIn(line, "singularName") ?? "",
        listKind: `${kind}List`,
        namespaced: valueIn(line, "namespaced") === true,
        shortNames: textsAt(line, "shortNames"),
        categories: textsAt(line, "categories"),
        verbs: textsAt(line, "verbs"),
        subresources: own.map((sub) => subresourceOf(sub, { group, version })),
        storageVersion: STORED_AS[storage] ?? version,
        ...(schema === undefined ? {} : { schema }),
        custom: false,
      };
    });
}

function subresourceOf(line: Tree, parent: { readonly group: string; readonly version: string }): SubresourceDefinition {
  return {
    name: (textIn(line, "name") ?? "").split("/")[1] ?? "",
    group: textIn(line, "group") ?? parent.group,
    version: textIn(line, "version") ?? parent.version,
    kind: textIn(line, "kind") ?? "",
    verbs: textsAt(line, "verbs"),
  };
}

/** `apps/v1` → ["apps", "v1"]; `v1` → ["", "v1"]. */
export function splitGroupVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
