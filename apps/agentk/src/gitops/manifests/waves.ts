import { encodeKey, groupOf, type KubeObject, type ObjectKey } from "@binnacle/kube";

import { dependenciesOf, nameOf } from "./depends-on.ts";
import type { ManifestError } from "./manifest.ts";
import { definedKindOf, isDefinition, kindIdOf } from "./place-manifests.ts";
import type { PlacedManifest } from "./placed-manifest.ts";
import type { Turns } from "./turns.ts";

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
 * Puts objects in order: Namespaces, CustomResourceDefinitions, the rest; the declared dependencies of an object, its Namespace and
 * the definition of its kind come in an earlier wave. A dependency that no manifest has, and dependencies in a circle, are errors that name both ends.
 * The steps are linear in objects and dependencies.
 */
export async function wavesOf(manifests: readonly PlacedManifest[], turns: Turns): Promise<Waves> {
  const byKey = new Map<string, PlacedManifest>();
  /** By the kind that they define. */
  const definitions = new Map<string, PlacedManifest>();
  for await (const manifest of turns.over(manifests)) {
    byKey.set(encodeKey(manifest.key), manifest);
    if (!isDefinition(manifest.object)) continue;
    const kind = definedKindOf(manifest.object);
    if (!definitions.has(kind)) definitions.set(kind, manifest);
  }
  const errors: ManifestError[] = [];
  const vertices = new Map<PlacedManifest, Vertex>();
  for await (const manifest of turns.over(manifests)) {
    const named = namedNeeds(manifest, byKey);
    if (typeof named === "string") errors.push(errorAt(manifest, named));
    else vertices.set(manifest, { manifest, needs: [...named, ...impliedNeeds(manifest, { byKey, definitions })], wave: undefined });
  }
  await settleWaves(vertices, turns);
  const waves: PlacedManifest[][] = [];
  const unsettled: Vertex[] = [];
  for await (const vertex of turns.over(vertices.values())) {
    if (vertex.wave === undefined) unsettled.push(vertex);
    else (waves[vertex.wave] ??= []).push(vertex.manifest);
  }
  const circles = await circlesOf(unsettled, { vertices, turns });
  for await (const vertex of turns.over(unsettled)) errors.push(errorAt(vertex.manifest, whyUnsettled(vertex, { vertices, circles })));
  // Empty waves are holes of the list.
  return { waves: waves.filter((wave) => wave.length > 0), errors };
}

/** Goes over the objects until nothing more gets a wave: what is left waits for itself, or for what is in error. */
async function settleWaves(vertices: ReadonlyMap<PlacedManifest, Vertex>, turns: Turns): Promise<void> {
  const dependents = new Map<Vertex, Vertex[]>();
  const open = new Map<Vertex, number>();
  const ready: Vertex[] = [];
  for await (const vertex of turns.over(vertices.values())) {
    open.set(vertex, vertex.needs.length);
    if (vertex.needs.length === 0) ready.push(vertex);
    for (const need of vertex.needs) {
      const other = vertices.get(need);
      if (other === undefined) continue;
      const known = dependents.get(other);
      if (known === undefined) dependents.set(other, [vertex]);
      else known.push(vertex);
    }
  }
  for (let vertex = ready.pop(); vertex !== undefined; vertex = ready.pop()) {
    const after = vertex.needs.map((need) => (vertices.get(need)?.wave ?? 0) + 1);
    vertex.wave = after.reduce((wave, least) => Math.max(wave, least), earliest(vertex.manifest.object));
    for await (const dependent of turns.over(dependents.get(vertex) ?? [])) {
      const left = (open.get(dependent) ?? 0) - 1;
      open.set(dependent, left);
      if (left === 0) ready.push(dependent);
    }
    const due = turns.step();
    if (due) await due;
  }
}

/** What objects without a wave are explained with. */
interface Unsettled {
  readonly vertices: ReadonlyMap<PlacedManifest, Vertex>;
  /** For each object of a circle the one before it there. */
  readonly circles: ReadonlyMap<PlacedManifest, PlacedManifest>;
}

/** The first object without a wave that a vertex waits for. */
function blockerOf(vertex: Vertex | undefined, vertices: ReadonlyMap<PlacedManifest, Vertex>): PlacedManifest | undefined {
  return vertex?.needs.find((need) => vertices.get(need)?.wave === undefined);
}

/** Follows each object to what blocks it, and on from there, each of them once. */
async function circlesOf(
  unsettled: readonly Vertex[],
  by: { readonly vertices: ReadonlyMap<PlacedManifest, Vertex>; readonly turns: Turns },
): Promise<ReadonlyMap<PlacedManifest, PlacedManifest>> {
  const circles = new Map<PlacedManifest, PlacedManifest>();
  /** By object the walk that came to it first, and its place there. */
  const walked = new Map<PlacedManifest, { readonly start: Vertex; readonly index: number }>();
  for (const start of unsettled) {
    const walk: PlacedManifest[] = [];
    let at: PlacedManifest | undefined = start.manifest;
    while (at !== undefined && !walked.has(at)) {
      walked.set(at, { start, index: walk.length });
      walk.push(at);
      at = blockerOf(by.vertices.get(at), by.vertices);
      const due = by.turns.step();
      if (due) await due;
    }
    const met = at === undefined ? undefined : walked.get(at);
    if (met?.start !== start) continue;
    const circle = walk.slice(met.index);
    for (const [index, one] of circle.entries()) circles.set(one, circle.at(index - 1) ?? one);
  }
  return circles;
}

function whyUnsettled(vertex: Vertex, { vertices, circles }: Unsettled): string {
  const name = nameOf(vertex.manifest.key);
  const lost = vertex.needs.find((need) => !vertices.has(need));
  if (lost !== undefined) return `${name} depends on ${nameOf(lost.key)}, which cannot be applied`;
  const before = circles.get(vertex.manifest);
  if (before !== undefined) return `${name} and ${nameOf(before.key)} depend on each other`;
  const need = blockerOf(vertex, vertices);
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
  among: { readonly byKey: ReadonlyMap<string, PlacedManifest>; readonly definitions: ReadonlyMap<string, PlacedManifest> },
): readonly PlacedManifest[] {
  const namespace: ObjectKey = { group: "", kind: "Namespace", namespace: "", name: key.namespace };
  const home = key.namespace === "" ? undefined : among.byKey.get(encodeKey(namespace));
  const definition = among.definitions.get(kindIdOf(object));
  return [home, definition].filter((need) => need !== undefined);
}

function earliest(object: KubeObject): number {
  if (groupOf(object.apiVersion) === "" && object.kind === "Namespace") return 0;
  return isDefinition(object) ? 1 : FIRST_OF_THE_REST;
}

function errorAt({ source, line, key }: PlacedManifest, message: string): ManifestError {
  return { source, line, message, object: key };
}
