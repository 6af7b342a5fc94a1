import { objectPath } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";

import { isOk, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import { CONFIG_MAPS } from "./inventory-store.ts";
import { requestsOf, type Inventory } from "./inventory.ts";

/** Whoever consents, pauses or asks for a sync sees something of it within this. */
const LOOK_MS = 10_000;

/** Waits until the annotations of an inventory say something else to a sync than when it was read, or the signal aborts. Never rejects. */
export async function anotherWord(
  inventory: Pick<Inventory, "namespace" | "name" | "requests">,
  by: { readonly api: ClusterApi; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await sleep(by.clock, LOOK_MS, signal);
    if (signal.aborted) return;
    try {
      const answer = await by.api.call({ method: "GET", target: objectPath(CONFIG_MAPS, inventory), signal });
      if (isOk(answer) && requestsOf(answer.value) !== inventory.requests) return;
    } catch {
      // The next look tells.
    }
  }
}
