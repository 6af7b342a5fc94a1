import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec } from "../made.ts";

/** A pod that mounts a claim that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'persistentvolumeclaim "nope" not found';
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(20) };
  const spec = podSpec({}, { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "nope" } }] });
  const objects = deployment(ago, "claim-missing", { spec, pods: [{ node: "", phase: "Pending", conditions: [unscheduled] }] });
  return {
    fault: "A pod that mounts a claim that does not exist",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment claim-missing",
      place: "issue",
      cause: ["PersistentVolumeClaim nope does not exist"],
      next: ["nope"],
      since: ago(20),
    },
  };
};
