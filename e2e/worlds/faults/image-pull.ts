import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, waiting, warning } from "../made.ts";

/** An image that the registry does not have. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "image-pull", {
    pods: [waiting(ago(25), ["ImagePullBackOff", 'Back-off pulling image "registry.example/shop/web:1.4.2"'])],
  });
  const pod = ofKind(objects, "Pod");
  objects.push(warning(ago, pod, ["Failed", 'Failed to pull image "registry.example/shop/web:1.4.2": not found', 24, 1]));
  return {
    fault: "An image that the registry does not have",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment image-pull",
      place: "issue",
      cause: ["registry.example/shop/web:1.4.2", "does not exist"],
      next: ["image"],
      since: ago(25),
    },
  };
};
