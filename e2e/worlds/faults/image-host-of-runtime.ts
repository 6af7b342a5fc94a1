import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, podSpec, waiting, warning } from "../made.ts";

/** S5: a registry whose host is not found, in the words of another container runtime. */
export const world: MakeFaultWorld = (ago) => {
  const image = "nosuch.invalid/shop/orders:2.3.0";
  const objects = deployment(ago, "image-host-of-runtime", {
    spec: podSpec({ image }),
    pods: [waiting(ago(27), ["ImagePullBackOff", `Back-off pulling image "${image}"`])],
  });
  objects.push(warning(ago, ofKind(objects, "Pod"), ["Failed", "Failed to pull image: host nosuch.invalid not found", 26, 1]));
  return {
    fault: "S5: a registry whose host is not found, in the words of another container runtime",
    objects,
    says: {
      of: "Deployment image-host-of-runtime",
      place: "issue",
      cause: ["nosuch.invalid does not resolve on the node"],
      next: ["registry"],
      since: ago(27),
    },
  };
};
