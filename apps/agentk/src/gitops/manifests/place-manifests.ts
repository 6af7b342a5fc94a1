import { encodeKey, fieldsAt, formatInventoryId, groupOf, isFields, listAt, textAt, type KubeObject, type ObjectKey } from "@binnacle/kube";

import { nameOf } from "./depends-on.ts";
import type { Manifest, ManifestError } from "./manifest.ts";
import type { PlacedManifest, PlacingKind } from "./placed-manifest.ts";
import type { Turns } from "./turns.ts";

/** What manifests are placed by. */
export interface PlacingOptions {
  /** For objects of namespaced kinds that name none. */
  readonly defaultNamespace: string;
  /** The kind as the cluster serves it; undefined when it does not. */
  readonly served: (object: KubeObject) => PlacingKind | undefined;
  readonly turns: Turns;
}

/** Manifests with their places, and those that have none. */
export interface PlacedManifests {
  readonly placed: readonly PlacedManifest[];
  readonly errors: readonly ManifestError[];
}

/**
 * Says which objects the manifests are: a namespaced kind gets the default namespace, a kind that the cluster does not serve yet is taken from a
 * CustomResourceDefinition beside it. Two manifests of one object are an error that names both places, and neither of them is placed.
 */
export async function placeManifests(manifests: readonly Manifest[], options: PlacingOptions): Promise<PlacedManifests> {
  const { turns } = options;
  const defined = await definedKinds(manifests, turns);
  const placed = new Map<string, PlacedManifest[]>();
  const errors: ManifestError[] = [];
  for await (const manifest of turns.over(manifests)) {
    const { object, source, line } = manifest;
    const kind = options.served(object) ?? defined.get(`${object.apiVersion}/${object.kind}`);
    if (kind === undefined) {
      errors.push({
        source,
        line,
        message: `the cluster does not serve ${object.kind} of ${object.apiVersion}`,
        object: keyIn(object, { group: groupOf(object.apiVersion), namespaced: true }, ""),
      });
      continue;
    }
    const key = keyIn(object, kind, options.defaultNamespace);
    if (formatInventoryId(key) === undefined) {
      errors.push({
        source,
        line,
        message: `no inventory can list ${nameOf(key)}: its name is too long or has a sign that keys may not have`,
        object: key,
      });
      continue;
    }
    const one = { ...manifest, object: inNamespace(object, key.namespace), key, kind };
    const same = placed.get(encodeKey(key));
    if (same === undefined) placed.set(encodeKey(key), [one]);
    else same.push(one);
  }
  const alone = [...placed.values()].flatMap((same) => {
    const [first, ...others] = same;
    if (first === undefined || others.length === 0) return same;
    const other = { source: first.source, line: first.line };
    for (const { source, line, key } of others)
      errors.push({ source, line, other, message: `${nameOf(key)} stands in the manifests already`, object: key });
    return [];
  });
  return { placed: alone, errors };
}

function keyIn(object: KubeObject, kind: Pick<PlacingKind, "group" | "namespaced">, defaultNamespace: string): ObjectKey {
  const { name, namespace } = object.metadata;
  // An empty namespace, and null of a template, are none.
  return { group: kind.group, kind: object.kind, namespace: kind.namespaced ? namespace || defaultNamespace : "", name };
}

function inNamespace(object: KubeObject, namespace: string): KubeObject {
  const { namespace: _given, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}

/** Kinds that the CustomResourceDefinitions among the manifests define, by `apiVersion/kind`. */
async function definedKinds(manifests: readonly Manifest[], turns: Turns): Promise<ReadonlyMap<string, PlacingKind>> {
  const kinds = new Map<string, PlacingKind>();
  for await (const { object } of turns.over(manifests)) {
    if (!isDefinition(object)) continue;
    const group = textAt(object["spec"], "group");
    const names = fieldsAt(object["spec"], "names");
    for (const version of listAt(object["spec"], "versions")) {
      if (!isFields(version) || version["served"] !== true) continue;
      const name = textAt(version, "name");
      const namespaced = textAt(object["spec"], "scope") === "Namespaced";
      kinds.set(`${group}/${name}/${textAt(names, "kind")}`, { group, version: name, resource: textAt(names, "plural"), namespaced });
    }
  }
  return kinds;
}

/** Whether the object defines a kind. */
export function isDefinition(object: KubeObject): boolean {
  return groupOf(object.apiVersion) === "apiextensions.k8s.io" && object.kind === "CustomResourceDefinition";
}

/** The kind that a CustomResourceDefinition defines, in any version: as `kindIdOf` writes it. */
export function definedKindOf(definition: KubeObject): string {
  return `${textAt(definition["spec"], "group")}/${textAt(fieldsAt(definition["spec"], "names"), "kind")}`;
}

/** The kind of an object, in any version. */
export function kindIdOf(object: KubeObject): string {
  return `${groupOf(object.apiVersion)}/${object.kind}`;
}
