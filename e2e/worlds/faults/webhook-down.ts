import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment } from "../made.ts";

/** An admission webhook that does not answer. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    'Internal error occurred: failed calling webhook "policy.example.com": failed to call webhook: Post "https://policy.policies.svc:443/": dial tcp 10.96.3.4:443: connect: connection refused';
  const objects = refusedDeployment(ago, "webhook-down", { message, minutes: 22 });
  return {
    fault: "An admission webhook that does not answer",
    embedded: "scripted",
    objects,
    says: { of: "Deployment webhook-down", place: "issue", cause: ["policy.example.com"], next: ["policy.example.com"], since: ago(22) },
  };
};
