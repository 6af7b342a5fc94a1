import { sleep, type Module } from "@binnacle/rpc";

import type { KasParts } from "./kas-parts.ts";

const STORE_MS = 1_000;

/**
 * The first phase of the leave: other kas hear that this one is leaving, and load balancers see that it is not ready, before anything is
 * refused.
 *
 * @param notReadyMs how long load balancers get to notice
 */
export function departureOf({ clock, depart }: Pick<KasParts, "clock" | "depart">, notReadyMs: number): Module {
  return {
    name: "departure",
    async drain(deadline) {
      // A store that is away keeps nobody here.
      const said = Promise.race([depart(), sleep(clock, STORE_MS, deadline)]);
      await Promise.all([said, sleep(clock, notReadyMs, deadline)]);
    },
    close: async () => undefined,
  };
}
