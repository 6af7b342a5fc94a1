import { fieldsAt, GITOPS_FIELD_MANAGER, objectPath, OWNING_INVENTORY, textAt, type ObjectKey } from "@binnacle/kube";

import { isOk, reasonOf, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import type { ServedKinds } from "../cluster/served-kinds.ts";
import { nameOf } from "../manifests/depends-on.ts";
import { concurrently } from "../sync/concurrently.ts";
import type { InventoryStore } from "./inventory-store.ts";
import type { Inventory } from "./inventory.ts";
import { ownerOf } from "./ownership.ts";

/** What an inventory is converted with. */
export interface Converting {
  readonly api: ClusterApi;
  readonly kinds: ServedKinds;
  readonly store: InventoryStore;
  readonly signal: AbortSignal;
}

/** How a conversion went. */
export interface Converted {
  readonly inventory: Inventory;
  /** Why it is not finished; empty when it is. The next sync goes on. */
  readonly reason: string;
}

/**
 * Gives an inventory of an earlier release, which has the id `inventory-<agent>-<project>`, the id that Go's agentk looks for. Objects first, the
 * label of the ConfigMap last: a break in between leaves objects with either id under the former label, and the next call goes on from there.
 *
 * @throws Fault `conflict` when somebody else has changed the inventory meanwhile, `cluster_unavailable`
 */
export async function convertInventory(inventory: Inventory, by: Converting): Promise<Converted> {
  if (inventory.label === inventory.id) return { inventory, reason: "" };
  const reasons = await concurrently([...inventory.objects.values()], (key) => convertObject(key, inventory, by));
  const reason = reasons.find((one) => one !== "");
  return reason === undefined ? { inventory: await by.store.relabel(inventory), reason: "" } : { inventory, reason };
}

/** @returns why the object bears the former id still; empty when it does not */
async function convertObject(key: ObjectKey, { id, formerId }: Inventory, { api, kinds, signal }: Converting): Promise<string> {
  const kind = await kinds.findAny(key, signal);
  if (kind === undefined) return "";
  const target = objectPath(kind, key);
  const live = await api.call({ method: "GET", target, signal });
  if (live.statusCode === 404) return "";
  if (!isOk(live)) return `${nameOf(key)}: ${reasonOf(live)}`;
  if (ownerOf(live.value) !== formerId) return "";
  const resourceVersion = textAt(fieldsAt(live.value, "metadata"), "resourceVersion");
  const answer = await api.call({
    method: "PATCH",
    target: `${target}?fieldManager=${GITOPS_FIELD_MANAGER}`,
    // Of the object that was read: another one that got the name meanwhile is not meant.
    body: { metadata: { resourceVersion, annotations: { [OWNING_INVENTORY]: id } } },
    contentType: "application/merge-patch+json",
    signal,
  });
  return isOk(answer) || answer.statusCode === 404 ? "" : `${nameOf(key)}: ${reasonOf(answer)}`;
}
