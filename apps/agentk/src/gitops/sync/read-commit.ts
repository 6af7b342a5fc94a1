import { fieldsAt, INVENTORY_LABEL, textAt, type KubeObject } from "@binnacle/kube";

import type { ServedKinds } from "../cluster/served-kinds.ts";
import type { InventoryRef } from "../inventory/inventory.ts";
import type { Manifest, ManifestError } from "../manifests/manifest.ts";
import { parseManifests, type TooManyObjects } from "../manifests/parse-manifests.ts";
import { placeManifests } from "../manifests/place-manifests.ts";
import type { PlacedManifest, PlacingKind } from "../manifests/placed-manifest.ts";
import type { Turns } from "../manifests/turns.ts";
import { wavesOf } from "../manifests/waves.ts";
import type { Commit } from "./commit.ts";
import type { StopOn } from "./sync-options.ts";

/** A commit, read and put in order. */
export interface ReadCommit {
  readonly inventory: InventoryRef;
  readonly waves: readonly (readonly PlacedManifest[])[];
  /** Objects that have no place or no order; the others may go on. */
  readonly errors: readonly ManifestError[];
}

/** What a commit is read by. */
export interface ReadingOptions {
  readonly inventory: InventoryRef;
  readonly defaultNamespace: string;
  readonly kinds: ServedKinds;
  readonly stopOn: StopOn;
  readonly maxObjects: number;
  readonly turns: Turns;
  readonly signal: AbortSignal;
}

/**
 * Reads a commit.
 *
 * @returns how many objects there are when that is more than `maxObjects`; errors alone when nothing may be applied: two templates name an inventory, or what is wrong stops all of the commit. By default, as in
 * Go's agentk, a broken file does, because its objects are unknown
 * @throws Fault `cluster_unavailable` when the cluster does not say which kinds it serves
 */
export async function readCommit(
  commit: Commit,
  by: ReadingOptions,
): Promise<ReadCommit | TooManyObjects | { readonly errors: readonly ManifestError[] }> {
  const { turns } = by;
  const read = await parseManifests(commit.files, by);
  if ("tooMany" in read) return read;
  const { manifests: parsed, errors: unread, broken } = read;
  if (unread.length > 0 && by.stopOn !== "nothing") return { errors: unread };
  const manifests = parsed.filter(({ source }) => !broken.has(source));
  const [template, ...more] = manifests.filter(({ object }) => isTemplate(object));
  if (template !== undefined && more.length > 0)
    return {
      errors: more.map((one) => ({ ...placeOf(one), other: placeOf(template), message: "a second inventory" })),
    };
  const objects = manifests.filter((manifest) => manifest !== template);
  const served = new Map<string, PlacingKind | undefined>();
  for await (const { object } of turns.over(objects)) {
    const id = `${object.apiVersion}/${object.kind}`;
    if (!served.has(id)) served.set(id, await by.kinds.find(object, by.signal));
  }
  const { placed, errors: unplaced } = await placeManifests(objects, {
    turns,
    defaultNamespace: by.defaultNamespace,
    served: (object) => served.get(`${object.apiVersion}/${object.kind}`),
  });
  const { waves, errors: unordered } = await wavesOf(placed, turns);
  const inventory = template === undefined ? by.inventory : refOf(template.object, by.defaultNamespace);
  const errors = [...unread, ...unplaced, ...unordered];
  return by.stopOn === "any_error" && errors.length > 0 ? { errors } : { inventory, waves, errors };
}

/** A ConfigMap among the manifests that says where the inventory is, and what its id is. */
function isTemplate(object: KubeObject): boolean {
  return object.apiVersion === "v1" && object.kind === "ConfigMap" && idOf(object) !== "";
}

function refOf(object: KubeObject, defaultNamespace: string): InventoryRef {
  return { namespace: object.metadata.namespace || defaultNamespace, name: object.metadata.name, id: idOf(object), formerId: "" };
}

function idOf(object: KubeObject): string {
  return textAt(fieldsAt(object.metadata, "labels"), INVENTORY_LABEL);
}

function placeOf({ source, line }: Manifest): { readonly source: string; readonly line: number } {
  return { source, line };
}
