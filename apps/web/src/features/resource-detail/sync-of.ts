import type { Gitops, GitopsFailure, GitopsSync } from "@binnacle/proto/dashboard";
import { nodeIdOf, type LiveNode } from "../live/live-node.ts";

/** The tool that marks objects with the inventory of an agent's sync. */
const AGENT = "cli-utils";

/** The sync that an object says it belongs to; of one that was refused and is not marked yet, the sync that says so. */
export function syncOf(gitops: Gitops | undefined, node: Pick<LiveNode, "managedBy" | "id">): GitopsSync | undefined {
  const { managedBy } = node;
  const syncs = gitops?.syncs ?? [];
  if (managedBy?.direct === true && managedBy.tool === AGENT)
    return syncs.find(({ inventoryId }) => inventoryId !== "" && inventoryId === managedBy.name);
  return managedBy === undefined ? syncs.find((sync) => failureOf(sync, node) !== undefined) : undefined;
}

/** Why the last sync could not apply an object, or what was changed of it since. */
export function failureOf({ failures }: GitopsSync, { id }: Pick<LiveNode, "id">): GitopsFailure | undefined {
  return failures.find((failure) => nodeIdOf(failure) === id);
}
