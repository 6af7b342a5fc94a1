import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec, waiting } from "../made.ts";

/** An image that would run as root where none may. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'container has runAsNonRoot and image will run as root (pod: "run-as-non-root-7d9f-0_app(1f0c)", container: app)';
  const objects = deployment(ago, "run-as-non-root", {
    spec: podSpec({ securityContext: { runAsNonRoot: true } }),
    pods: [waiting(ago(18), ["CreateContainerConfigError", message])],
  });
  return {
    fault: "An image that would run as root where none may",
    objects,
    says: {
      of: "Deployment run-as-non-root",
      place: "issue",
      cause: ["its image runs as root and runAsNonRoot forbids that"],
      next: ["Set runAsUser of container app"],
      since: ago(18),
    },
  };
};
