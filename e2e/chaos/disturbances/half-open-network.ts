import { eventually } from "@binnacle/testing";

import type { Disturbance } from "../disturbance.ts";

const LIMIT_MS = 90_000;

/** The network of one agent stops carrying bytes without an error; then it breaks and comes back. */
export const halfOpenNetwork: Disturbance = {
  name: "half-open network",
  // No tunnel that is free, an agent that keeps silent, and a connection that was given up under a request.
  allowed: /^50[234] /,
  async begin(world) {
    world.networks[0]?.stall();
    // The agent notices by its own pings, although no connection was closed.
    await eventually(() => {
      const output = world.agents[0]?.program.output ?? "";
      return output.includes('"msg":"connection to kas lost"') ? undefined : `the agent has not noticed:\n${output}`;
    }, LIMIT_MS);
  },
  end(world) {
    world.networks[0]?.cut();
    world.networks[0]?.restore();
    return Promise.resolve();
  },
};
