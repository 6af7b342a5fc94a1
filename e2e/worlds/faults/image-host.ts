import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, podSpec, waiting, warning } from "../made.ts";

/** The name of a registry that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const image = "nosuch.invalid/shop/payments:2.3.0";
  const objects = deployment(ago, "image-host", {
    spec: podSpec({ image }),
    pods: [waiting(ago(25), ["ImagePullBackOff", `Back-off pulling image "${image}"`])],
  });
  const message = `Failed to pull image "${image}": dial tcp: lookup nosuch.invalid on 10.96.0.10:53: no such host`;
  objects.push(warning(ago, ofKind(objects, "Pod"), ["Failed", message, 24, 1]));
  return {
    fault: "The name of a registry that does not exist",
    embedded: "made",
    objects,
    says: {
      of: "Deployment image-host",
      place: "issue",
      cause: ["nosuch.invalid does not resolve on the node"],
      next: ["registry"],
      since: ago(25),
    },
  };
};
