import type { PlannedObject } from "../action-plans/action-plan.ts";
import { selectorTextOf } from "../base/selector-text.ts";
import { JOBS, listBeside, ownedBy, PODS, REPLICA_SETS, uidsOf, type Listed, type Listing } from "./listed-objects.ts";

/** Objects of one kind that an object owns, itself or through another one. */
export interface Dependents {
  readonly kind: Listing["kind"];
  readonly found: Listed;
}

/** Kinds that are created for each workload, from it down to its pods. */
const OWNED_KINDS: Readonly<Record<string, readonly Listing["kind"][]>> = {
  "apps/deployments": [REPLICA_SETS, PODS],
  "apps/replicasets": [PODS],
  "apps/statefulsets": [PODS],
  "apps/daemonsets": [PODS],
  "batch/cronjobs": [JOBS, PODS],
  "batch/jobs": [PODS],
};

/** Pods that have ended are not touched by a rollout. */
const NOT_ENDED = "status.phase!=Succeeded,status.phase!=Failed";

/** What a workload owns, level by level; `undefined` for any other kind, of which this is not known. */
export async function dependentsOf(of: PlannedObject): Promise<readonly Dependents[] | undefined> {
  const kinds = OWNED_KINDS[`${of.kind.group}/${of.kind.resource}`];
  return kinds === undefined ? undefined : ownedOf(of, kinds);
}

/** Pods of a workload that have not ended and are not being deleted. */
export async function podsOf(of: PlannedObject): Promise<Listed> {
  const kinds = OWNED_KINDS[`${of.kind.group}/${of.kind.resource}`] ?? [];
  const found = (await ownedOf(of, kinds, NOT_ENDED)).at(-1)?.found ?? { items: [] };
  return "why" in found ? found : { items: found.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined) };
}

async function ownedOf(of: PlannedObject, kinds: readonly Listing["kind"][], podFields?: string): Promise<readonly Dependents[]> {
  const labelSelector = selectorTextOf(of.object);
  const lists = await Promise.all(
    kinds.map((kind) =>
      listBeside(of, {
        kind,
        metadataOnly: true,
        query: { ...(labelSelector !== undefined && { labelSelector }), ...(kind === PODS && podFields && { fieldSelector: podFields }) },
      }),
    ),
  );
  let owners = uidsOf([of.object]);
  let why: Extract<Listed, { why: unknown }> | undefined;
  return kinds.map((kind, index) => {
    const listed = lists[index] ?? { items: [] };
    const found: Listed = why ?? ("why" in listed ? listed : { items: ownedBy(listed.items, owners) });
    // Which pods are owned is not known without the objects between.
    if ("why" in found) why = found;
    else owners = uidsOf(found.items);
    return { kind, found };
  });
}
