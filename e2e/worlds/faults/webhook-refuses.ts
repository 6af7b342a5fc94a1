import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, warning } from "../made.ts";

/** An admission webhook that refuses the pods. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'admission webhook "policy.example.com" denied the request: images must be signed';
  const failed = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message, lastTransitionTime: ago(22) };
  const objects = deployment(ago, "webhook-refuses", { conditions: [failed], setConditions: [failed] });
  objects.push(warning(ago, ofKind(objects, "ReplicaSet"), ["FailedCreate", `Error creating: ${message}`, 21, 1]));
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
