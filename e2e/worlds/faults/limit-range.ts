import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment } from "../made.ts";

/** A LimitRange that the pod exceeds. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'pods "limit-range-7d9f-x" is forbidden: maximum memory usage per Container is 64Mi, but limit is 1Gi';
  const objects = refusedDeployment(ago, "limit-range", { message, minutes: 22 });
  return {
    fault: "A LimitRange that the pod exceeds",
    embedded: "scripted",
    objects,
    says: { of: "Deployment limit-range", place: "issue", cause: ["64Mi", "1Gi"], next: ["LimitRange"], since: ago(22) },
  };
};
