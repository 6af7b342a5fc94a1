import type { Gitops, GitopsFailure, GitopsSync } from "@binnacle/proto/dashboard";
import type { LiveNode } from "../live/live-node.ts";

/** The tool that marks objects with the inventory of an agent's sync. */
const AGENT = "cli-utils";

/** The sync that an object says it belongs to; of one that was refused and is not marked yet, the sync that says so. */
export function syncOf(gitops: Gitops | undefined, node: Pick<LiveNode, "managedBy" | "ref">): GitopsSync | undefined {
  const { managedBy } = node;
  const syncs = gitops?.syncs ?? [];
  if (managedBy?.direct === true && managedBy.tool === AGENT)
    return syncs.find(({ inventoryId }) => inventoryId !== "" && inventoryId === managedBy.name);
  return managedBy === undefined ? syncs.find((sync) => failureOf(sync, node) !== undefined) : undefined;
}

/** Why the last sync could not apply an object. */
export function failureOf({ failures }: GitopsSync, { ref }: Pick<LiveNode, "ref">): GitopsFailure | undefined {
  return failures.find(
    ({ group, kind, namespace, name }) => ref?.group === group && ref.kind === kind && ref.namespace === namespace && ref.name === name,
  );
}
