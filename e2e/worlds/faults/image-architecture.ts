import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec, waiting } from "../made.ts";

/** An image that is not built for the processor of the node. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "image-architecture", {
    spec: podSpec({ image: "registry.example/shop/web-amd64:1" }),
    pods: [waiting(ago(25), ["ErrImagePull", "no matching manifest for linux/arm64/v8 in the manifest list entries"])],
  });
  return {
    fault: "An image that is not built for the processor of the node",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment image-architecture",
      place: "issue",
      cause: ["registry.example/shop/web-amd64:1", "no build for the node's platform"],
      next: ["Build the image registry.example/shop/web-amd64:1 for the platform"],
      since: ago(25),
    },
  };
};
