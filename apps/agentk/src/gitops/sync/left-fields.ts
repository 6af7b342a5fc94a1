import {
  appliedFieldsOf,
  fieldsAt,
  formatInventoryId,
  othersNamed,
  ownershipOf,
  toDigest,
  withoutFields,
  type KeptField,
  type KubeObject,
  type ObjectKey,
} from "@binnacle/kube";

import type { PlacedManifest } from "../manifests/placed-manifest.ts";

/** The fields of an object that stay as others have written them: "spec.replicas". */
export type KeptNames = (key: ObjectKey) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();
const UNSHARED = { share: (text: string): string => text };

/** @param kept of an inventory, by the lines of its objects */
export function keptNames(kept: ReadonlyMap<string, readonly KeptField[]>): KeptNames {
  const names = new Map([...kept].map(([line, fields]) => [line, new Set(fields.map(({ field }) => field))]));
  return (key) => names.get(formatInventoryId(key) ?? "") ?? NONE;
}

/**
 * What is applied of a manifest: not the fields that a user keeps, and without force not the replicas that an autoscaler writes. A field is left out only
 * while another manager owns it: an entry for any other has no effect, so that keeping a field cannot remove it from the cluster.
 *
 * @param live the object as it was found; undefined when there is none
 */
export function leaveOut(
  { key, object }: Pick<PlacedManifest, "key" | "object">,
  live: unknown,
  { kept, force, dryRun }: { readonly kept: KeptNames; readonly force: boolean; readonly dryRun: boolean },
): KubeObject {
  const { others } = ownershipOf(fieldsAt(live, "metadata")["managedFields"], UNSHARED);
  const byDesign = force && !dryRun ? [] : others.flatMap((field) => (field.byDesign === true ? field.path : []));
  return withoutFields(object, [...othersNamed(live, kept(key)), ...byDesign]);
}

/**
 * The digest of the fields that an apply gives to agentk.
 *
 * @param after as the API server answered
 * @param before where that was a dry run: its time counts, because the entry itself has not changed
 */
export function digestAfter(after: unknown, before?: unknown): Uint8Array | undefined {
  const applied = appliedFieldsOf(after);
  if (applied === undefined) return undefined;
  const { atSeconds } = appliedFieldsOf(before) ?? applied;
  return toDigest({ ...applied, atSeconds });
}
