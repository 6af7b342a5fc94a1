import { objectPath } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";

import { isOk, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import { CONFIG_MAPS } from "./inventory-store.ts";
import { requestsOf, type Inventory } from "./inventory.ts";

/** A person who consents, pauses or asks for a sync sees an effect within this time. */
const POLL_MS = 10_000;
/** The time for the next request of a person who has just made one. */
const SOON_POLL_MS = 2_000;
const SOON_FOR_MS = 60_000;

/** An inventory as a sync has read it, and when its requests have changed last, in milliseconds since the epoch. */
export interface PolledInventory extends Pick<Inventory, "namespace" | "name" | "requests"> {
  readonly changedAtMs: number;
}

/** Waits until the annotations of an inventory request something else of a sync than when it was read, or the signal aborts. Never rejects. */
export async function untilRequestsChange(
  inventory: PolledInventory,
  by: { readonly api: ClusterApi; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const { api, clock } = by;
  for (;;) {
    const ageMs = clock.now() - inventory.changedAtMs;
    await sleep(clock, ageMs >= 0 && ageMs < SOON_FOR_MS ? SOON_POLL_MS : POLL_MS, signal);
    if (signal.aborted) return;
    try {
      const answer = await api.call({ method: "GET", target: objectPath(CONFIG_MAPS, inventory), signal });
      if (isOk(answer) && requestsOf(answer.value) !== inventory.requests) return;
    } catch {
      // The next poll tells.
    }
  }
}
