import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ready } from "../made.ts";

/** A budget that wants more healthy pods than there are, so that a drain waits for ever. */
export const world: MakeFaultWorld = (ago) => {
  const served = deployment(ago, "budget-blocks-drain", { pods: [ready(ago(50))], ready: 1 });
  const budget = made(ago, ["policy/v1", "PodDisruptionBudget", "budget-blocks-drain"], {
    metadata: { generation: 1 },
    spec: { minAvailable: 2, selector: { matchLabels: { app: "budget-blocks-drain" } } },
    status: {
      observedGeneration: 1,
      currentHealthy: 1,
      desiredHealthy: 2,
      expectedPods: 1,
      disruptionsAllowed: 0,
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", lastTransitionTime: ago(40) }],
    },
  });
  const objects = [budget, ...served];
  return {
    fault: "A budget that wants more healthy pods than there are, so that a drain waits for ever",
    embedded: "scripted",
    objects,
    says: {
      of: "PodDisruptionBudget budget-blocks-drain",
      place: "issue",
      cause: ["counts 1 healthy pod and wants 2"],
      next: ["before you drain a node"],
      since: ago(40),
    },
  };
};
