import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment } from "../made.ts";

/** A ValidatingAdmissionPolicy that refuses the pods. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "pods \"admission-policy-7d9f-\" is forbidden: ValidatingAdmissionPolicy 'no-latest.example.com' with binding 'no-latest' denied request: images must have a version";
  const objects = refusedDeployment(ago, "admission-policy", { message, minutes: 22 });
  return {
    fault: "A ValidatingAdmissionPolicy that refuses the pods",
    objects,
    says: {
      of: "Deployment admission-policy",
      place: "issue",
      cause: ["no-latest.example.com", "images must have a version"],
      next: ["no-latest.example.com accepts them"],
      since: ago(22),
    },
  };
};
