import { eventually } from "@binnacle/testing";

import type { Disturbance } from "../disturbance.ts";

const LIMIT_MS = 90_000;

/** The network of one agent stops carrying bytes and tells nobody; then it breaks and comes back. */
export const halfOpenNetwork: Disturbance = {
  name: "half-open network",
  // No tunnel, an agent that keeps silent, and a connection that was given up under a request.
  allowed: /^50[234]\b/,
  async begin(world) {
    world.networks[0]?.stall();
    // kas notices by itself, although no connection was closed.
    await eventually(async () => {
      const idle = (await world.kas[0]?.metrics())?.get("kas_tunnels_idle");
      return idle === 0 ? undefined : `kas still counts on ${idle} tunnels of a silent network`;
    }, LIMIT_MS);
  },
  end(world) {
    world.networks[0]?.cut();
    world.networks[0]?.mend();
    return Promise.resolve();
  },
};
