import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made } from "../made.ts";

/** A Deployment that was scaled to zero, with a Service. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "scaled-to-zero", { more: { replicas: 0 } });
  objects.push(
    made(ago, ["v1", "Service", "scaled-to-zero"], {
      spec: { type: "ClusterIP", selector: { app: "scaled-to-zero" }, ports: [{ port: 80 }] },
      status: {},
    }),
  );
  return {
    fault: "A Deployment that was scaled to zero, with a Service",
    objects,
    says: {
      of: "Service scaled-to-zero",
      place: "not-counted",
      cause: ["no pod has the labels app=scaled-to-zero"],
      next: ["Start pods that match the selector"],
    },
  };
};
