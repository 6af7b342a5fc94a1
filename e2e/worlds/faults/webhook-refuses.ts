import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment } from "../made.ts";

/** An admission webhook that refuses the pods. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'admission webhook "policy.example.com" denied the request: images must be signed';
  const objects = refusedDeployment(ago, "webhook-refuses", { message, minutes: 22 });
  return {
    fault: "An admission webhook that refuses the pods",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment webhook-refuses",
      place: "issue",
      cause: ["policy.example.com", "images must be signed"],
      next: ["policy.example.com"],
      since: ago(22),
    },
  };
};
