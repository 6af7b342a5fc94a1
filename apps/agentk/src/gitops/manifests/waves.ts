import { encodeKey, groupOf, type KubeObject, type ObjectKey } from "@binnacle/kube";

import { dependenciesOf, nameOf } from "./depends-on.ts";
import type { ManifestError } from "./manifest.ts";
import { isDefinedBy, isDefinition } from "./place-manifests.ts";
import type { PlacedManifest } from "./placed-manifest.ts";

/** What is applied after what. */
export interface Waves {
  /** Each wave may begin when the one before it is done. No wave is empty. */
  readonly waves: readonly (readonly PlacedManifest[])[];
  /** Objects whose order cannot be kept: they are in no wave. */
  readonly errors: readonly ManifestError[];
}

/** Waves begin with Namespaces, then definitions of kinds. */
const FIRST_OF_THE_REST = 2;

interface Vertex {
  readonly manifest: PlacedManifest;
  readonly needs: readonly PlacedManifest[];
  wave: number | undefined;
}

/**
 * Puts objects in order: Namespaces, CustomResourceDefinitions, the rest; whatever an object is said to depend on, the Namespace it lives in and
 * the definition of its kind come in an earlier wave. A dependency that no manifest has, and dependencies in a circle, are errors that name both ends.
 */
export function wavesOf(manifests: readonly PlacedManifest[]): Waves {
  const byKey = new Map(manifests.map((manifest) => [encodeKey(manifest.key), manifest]));
  const definitions = manifests.filter(({ object }) => isDefinition(object));
  const errors: ManifestError[] = [];
  const vertices = new Map<PlacedManifest, Vertex>();
  for (const manifest of manifests) {
    const named = namedNeeds(manifest, byKey);
    if (typeof named === "string") errors.push(errorAt(manifest, named));
    else vertices.set(manifest, { manifest, needs: [...named, ...impliedNeeds(manifest, { byKey, definitions })], wave: undefined });
  }
  errors.push(...settleWaves(vertices));
  const waves: PlacedManifest[][] = [];
  for (const { manifest, wave } of vertices.values()) if (wave !== undefined) (waves[wave] ??= []).push(manifest);
  // Waves that nobody is in are holes of the list.
  return { waves: waves.filter((wave) => wave.length > 0), errors };
}

/** Goes over the objects until nothing more gets a wave: what is left waits for itself, or for what is in error. */
function settleWaves(vertices: ReadonlyMap<PlacedManifest, Vertex>): ManifestError[] {
  const dependents = new Map<Vertex, Vertex[]>();
  const open = new Map<Vertex, number>();
  const ready: Vertex[] = [];
  for (const vertex of vertices.values()) {
    open.set(vertex, vertex.needs.length);
    if (vertex.needs.length === 0) ready.push(vertex);
    for (const need of vertex.needs) {
      const other = vertices.get(need);
      if (other !== undefined) dependents.set(other, [...(dependents.get(other) ?? []), vertex]);
    }
  }
  for (let vertex = ready.pop(); vertex !== undefined; vertex = ready.pop()) {
    const after = vertex.needs.map((need) => (vertices.get(need)?.wave ?? 0) + 1);
    vertex.wave = after.reduce((wave, least) => Math.max(wave, least), earliest(vertex.manifest.object));
    for (const dependent of dependents.get(vertex) ?? []) {
      const left = (open.get(dependent) ?? 0) - 1;
      open.set(dependent, left);
      if (left === 0) ready.push(dependent);
    }
  }
  return [...vertices.values()]
    .filter(({ wave }) => wave === undefined)
    .map((vertex) => errorAt(vertex.manifest, whyUnsettled(vertex, vertices)));
}

function whyUnsettled(vertex: Vertex, vertices: ReadonlyMap<PlacedManifest, Vertex>): string {
  const name = nameOf(vertex.manifest.key);
  const lost = vertex.needs.find((need) => !vertices.has(need));
  if (lost !== undefined) return `${name} depends on ${nameOf(lost.key)}, which cannot be applied`;
  const seen = new Set<PlacedManifest>();
  for (let at: PlacedManifest | undefined = vertex.manifest; at !== undefined && !seen.has(at);) {
    seen.add(at);
    at = vertices.get(at)?.needs.find((need) => vertices.get(need)?.wave === undefined);
    if (at === vertex.manifest) {
      const last = [...seen].at(-1) ?? at;
      return `${name} and ${nameOf(last.key)} depend on each other`;
    }
  }
  const need = vertex.needs.find((one) => vertices.get(one)?.wave === undefined);
  return `${name} depends on ${need === undefined ? "nothing" : nameOf(need.key)}, which cannot be applied`;
}

function namedNeeds(manifest: PlacedManifest, byKey: ReadonlyMap<string, PlacedManifest>): readonly PlacedManifest[] | string {
  const needs: PlacedManifest[] = [];
  for (const key of dependenciesOf(manifest.object)) {
    if (typeof key === "string") return `${nameOf(manifest.key)} depends on "${key}", which names no object`;
    const need = byKey.get(encodeKey(key));
    if (need === undefined) return `${nameOf(manifest.key)} depends on ${nameOf(key)}, which no manifest has`;
    needs.push(need);
  }
  return needs;
}

function impliedNeeds(
  { key, object }: PlacedManifest,
  among: { readonly byKey: ReadonlyMap<string, PlacedManifest>; readonly definitions: readonly PlacedManifest[] },
): readonly PlacedManifest[] {
  const namespace: ObjectKey = { group: "", kind: "Namespace", namespace: "", name: key.namespace };
  const home = key.namespace === "" ? undefined : among.byKey.get(encodeKey(namespace));
  const definition = among.definitions.find((one) => isDefinedBy(object, one.object));
  return [home, definition].filter((need) => need !== undefined);
}

function earliest(object: KubeObject): number {
  if (groupOf(object.apiVersion) === "" && object.kind === "Namespace") return 0;
  return isDefinition(object) ? 1 : FIRST_OF_THE_REST;
}

function errorAt({ source, line, key }: PlacedManifest, message: string): ManifestError {
  return { source, line, message, object: key };
}
