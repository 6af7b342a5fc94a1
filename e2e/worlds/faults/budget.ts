import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ready } from "../made.ts";

/** A budget that allows no disruption. */
export const world: MakeFaultWorld = (ago) => {
  const served = deployment(ago, "budget", { pods: [ready(ago(50))], ready: 1 });
  const budget = made(ago, ["policy/v1", "PodDisruptionBudget", "budget"], {
    metadata: { generation: 1 },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "budget" } } },
    status: {
      observedGeneration: 1,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
      disruptionsAllowed: 0,
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", lastTransitionTime: ago(40) }],
    },
  });
  const objects = [budget, ...served];
  return {
    fault: "A budget that allows no disruption",
    embedded: "scripted",
    objects,
    says: {
      of: "PodDisruptionBudget budget",
      place: "not-counted",
      cause: ["allows no disruption now", "node drain would wait"],
      next: ["Add a replica"],
      since: ago(40),
    },
  };
};
