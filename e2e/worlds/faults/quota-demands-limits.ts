import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment } from "../made.ts";

/** A quota that demands limits which the pod does not have. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    'pods "quota-demands-limits-7d9f-" is forbidden: failed quota: compute: must specify limits.cpu for: app; limits.memory for: app';
  const objects = refusedDeployment(ago, "quota-demands-limits", { message, minutes: 22 });
  return {
    fault: "A quota that demands limits which the pod does not have",
    objects,
    says: {
      of: "Deployment quota-demands-limits",
      place: "issue",
      cause: ["compute", "limits.cpu"],
      next: ["State the resources that quota compute demands", "LimitRange"],
      since: ago(22),
    },
  };
};
