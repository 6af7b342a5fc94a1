import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ofKind, ready, warning } from "../made.ts";

/** Two disruption budgets of the same pods, all of which are healthy. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "budgets-web", { pods: [ready(ago(50)), ready(ago(50)), ready(ago(50))], ready: 3 });
  const budget = (name: string) =>
    made(ago, ["policy/v1", "PodDisruptionBudget", name], {
      metadata: { generation: 1 },
      spec: { minAvailable: 2, selector: { matchLabels: { app: "budgets-web" } } },
      status: {
        observedGeneration: 1,
        currentHealthy: 1,
        desiredHealthy: 2,
        expectedPods: 3,
        disruptionsAllowed: 0,
        conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "", lastTransitionTime: ago(40) }],
      },
    });
  objects.push(budget("budgets-one"), budget("budgets-two"));
  const message = 'Pod "app"/"budgets-web-7d9f-0" matches multiple PodDisruptionBudgets.  Chose "budgets-one" arbitrarily.';
  objects.push(warning(ago, ofKind(objects, "Pod"), ["MultiplePodDisruptionBudgets", message, 39, 1]));
  return {
    fault: "Two disruption budgets of the same pods, all of which are healthy",
    objects,
    says: {
      of: "PodDisruptionBudget budgets-one",
      place: "issue",
      cause: ["belong to several budgets, also to budgets-two"],
      next: ["Give each pod one budget"],
      since: ago(40),
    },
  };
};
