import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, waiting } from "../made.ts";

/** An image that is not built for the processor of the node. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "image-architecture", {
    pods: [waiting(ago(25), ["ErrImagePull", "no matching manifest for linux/arm64/v8 in the manifest list entries"])],
  });
  return {
    fault: "An image that is not built for the processor of the node",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment image-architecture",
      place: "issue",
      cause: ["registry.example/shop/web:1.4.2", "no build for the node's platform"],
      next: ["Build registry.example/shop/web:1.4.2 for the platform"],
      since: ago(25),
    },
  };
};
