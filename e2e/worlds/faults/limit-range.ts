import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, warning } from "../made.ts";

/** A LimitRange that the pod exceeds. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'pods "limit-range-7d9f-x" is forbidden: maximum memory usage per Container is 64Mi, but limit is 1Gi';
  const failed = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message, lastTransitionTime: ago(22) };
  const objects = deployment(ago, "limit-range", { conditions: [failed], setConditions: [failed] });
  objects.push(warning(ago, ofKind(objects, "ReplicaSet"), ["FailedCreate", `Error creating: ${message}`, 21, 1]));
  return {
    fault: "A LimitRange that the pod exceeds",
    embedded: "scripted",
    objects,
    says: { of: "Deployment limit-range", place: "issue", cause: ["64Mi", "1Gi"], next: ["LimitRange"], since: ago(22) },
  };
};
