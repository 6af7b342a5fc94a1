import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, waiting, warning } from "../made.ts";

/** A volume that another node has attached. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "multi-attach", {
    pods: [{ ...waiting(ago(23), ["ContainerCreating", ""]), metadata: { creationTimestamp: ago(23) } }],
  });
  const message = 'Multi-Attach error for volume "pv-shop" Volume is already used by pod(s) multi-attach-old-0';
  objects.push(warning(ago, ofKind(objects, "Pod"), ["FailedAttachVolume", message, 22, 1]));
  return {
    fault: "A volume that another node has attached",
    objects,
    says: {
      of: "Deployment multi-attach",
      place: "issue",
      cause: ["pv-shop", "multi-attach-old-0"],
      next: ["Delete the pod that still uses the volume"],
      since: ago(23),
    },
  };
};
