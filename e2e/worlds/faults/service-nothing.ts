import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A Service whose selector no pod has. */
export const world: MakeFaultWorld = (ago) => {
  const spec = { type: "ClusterIP", selector: { "app.kubernetes.io/name": "nothing" }, ports: [{ port: 80 }] };
  const objects = [made(ago, ["v1", "Service", "service-nothing"], { spec, status: {} })];
  return {
    fault: "A Service whose selector no pod has",
    embedded: "made",
    objects,
    says: {
      of: "Service service-nothing",
      place: "issue",
      cause: ["no pod has the labels app.kubernetes.io/name=nothing"],
      next: ["correct the selector"],
    },
  };
};
