import type { MakeFaultWorld } from "../fault-world.ts";
import { podSpec, unscheduledDeployment } from "../made.ts";

/** More pods that keep apart than there are nodes. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.";
  const rule = { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "anti-affinity" } } };
  const spec = podSpec({}, { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [rule] } } });
  const objects = unscheduledDeployment(ago, "anti-affinity", { message, minutes: 20, spec });
  return {
    fault: "More pods that keep apart than there are nodes",
    objects,
    says: {
      of: "Deployment anti-affinity",
      place: "issue",
      cause: ["of 3 nodes, 3 have a pod that it must not run beside"],
      next: ["Run fewer replicas than nodes, add a node"],
      since: ago(20),
    },
  };
};
