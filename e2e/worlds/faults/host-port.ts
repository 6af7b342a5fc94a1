import type { MakeFaultWorld } from "../fault-world.ts";
import { podSpec, unscheduledDeployment } from "../made.ts";

/** A host port that is in use on each node. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.";
  const spec = podSpec({ ports: [{ containerPort: 8080, hostPort: 8080 }] });
  const objects = unscheduledDeployment(ago, "host-port", { message, minutes: 20, spec });
  return {
    fault: "A host port that is in use on each node",
    objects,
    says: {
      of: "Deployment host-port",
      place: "issue",
      cause: ["3 have its host port in use"],
      next: ["Remove hostPort from the pod, or run fewer replicas than nodes"],
      since: ago(20),
    },
  };
};
