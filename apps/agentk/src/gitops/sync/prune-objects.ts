import { fieldsAt, objectPath, textAt, type ObjectKey } from "@binnacle/kube";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";

import { isOk, reasonOf, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import type { ServedKinds } from "../cluster/served-kinds.ts";
import { isOwned, type InventoryIds } from "../inventory/ownership.ts";
import { concurrently } from "./concurrently.ts";
import type { ObjectResult } from "./object-result.ts";
import type { SyncOptions } from "./sync-options.ts";

const PROPAGATION = { orphan: "Orphan", background: "Background", foreground: "Foreground" } as const;
const POLL = { initialMs: 500, maxMs: 10_000 };

/** Annotations by which an object asks to be left where it is, as cli-utils knows them. */
const KEEP = [
  ["client.lifecycle.config.k8s.io/deletion", "detach"],
  ["cli-utils.sigs.k8s.io/on-remove", "keep"],
] as const;

/** What objects are pruned with. */
export interface Pruning {
  readonly api: ClusterApi;
  readonly kinds: ServedKinds;
  readonly clock: Clock;
  readonly inventory: InventoryIds;
  readonly options: Pick<SyncOptions, "propagation" | "pruneTimeoutMs">;
  readonly signal: AbortSignal;
  /** Ends the wait for objects that are being deleted, without an error. */
  readonly patience: AbortSignal;
}

/**
 * Deletes objects that left the manifests, Namespaces and definitions of kinds last, and waits until they are gone. Only what bears the mark
 * of this inventory is deleted. `pruned` and `skipped` objects no longer belong to the inventory; `failed` ones do.
 */
export async function pruneObjects(keys: readonly ObjectKey[], by: Pruning): Promise<readonly ObjectResult[]> {
  const results: ObjectResult[] = [];
  for (const isHome of [false, true]) {
    const wave = keys.filter((key) => (key.kind === "Namespace" || key.kind === "CustomResourceDefinition") === isHome);
    results.push(...(await concurrently(wave, (key) => pruneObject(key, by))));
  }
  return results;
}

async function pruneObject(key: ObjectKey, by: Pruning): Promise<ObjectResult> {
  const result = (outcome: ObjectResult["outcome"], reason = ""): ObjectResult => ({
    key,
    outcome,
    reason,
    source: "",
    line: 0,
    fieldLine: 0,
  });
  const { api, kinds, signal } = by;
  const kind = await kinds.findAny(key, signal);
  if (kind === undefined) return result("pruned", "the cluster does not serve the kind any more");
  const target = objectPath(kind, key);
  const live = await api.call({ method: "GET", target, signal });
  if (live.statusCode === 404) return result("pruned");
  if (!isOk(live)) return result("failed", reasonOf(live));
  if (!isOwned(live.value, by.inventory)) return result("skipped", "the object does not belong to the inventory any more");
  const annotations = fieldsAt(fieldsAt(live.value, "metadata"), "annotations");
  if (KEEP.some(([name, value]) => textAt(annotations, name) === value)) return result("skipped", "the object asks to be kept");
  const uid = uidOf(live.value);
  const answer = await api.call({
    method: "DELETE",
    target,
    // Another object that got the name meanwhile is not meant.
    body: { propagationPolicy: PROPAGATION[by.options.propagation], preconditions: { uid } },
    signal,
  });
  if (answer.statusCode !== 404 && !isOk(answer)) return result("failed", reasonOf(answer));
  return (await isGone({ target, uid }, by)) ? result("pruned") : result("failed", "the object is still being deleted");
}

async function isGone(object: { readonly target: string; readonly uid: string }, by: Pruning): Promise<boolean> {
  const { api, clock, signal } = by;
  const endMs = clock.now() + by.options.pruneTimeoutMs;
  const backoff = new Backoff(POLL);
  for (;;) {
    const answer = await api.call({ method: "GET", target: object.target, signal });
    if (answer.statusCode === 404 || (isOk(answer) && uidOf(answer.value) !== object.uid)) return true;
    if (clock.now() >= endMs || by.patience.aborted) return false;
    await sleep(clock, Math.min(backoff.nextMs(), endMs - clock.now()), AbortSignal.any([signal, by.patience]));
  }
}

function uidOf(object: unknown): string {
  return textAt(fieldsAt(object, "metadata"), "uid");
}
