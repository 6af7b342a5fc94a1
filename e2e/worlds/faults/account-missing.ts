import type { MakeFaultWorld } from "../fault-world.ts";
import { podSpec, refusedDeployment } from "../made.ts";

/** A Deployment whose ServiceAccount does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({}, { serviceAccountName: "nope" });
  const message = 'pods "account-missing-7d9f-" is forbidden: error looking up service account app/nope: serviceaccount "nope" not found';
  const objects = refusedDeployment(ago, "account-missing", { message, minutes: 22, spec });
  return {
    fault: "A Deployment whose ServiceAccount does not exist",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment account-missing",
      place: "issue",
      cause: ["ServiceAccount nope does not exist"],
      next: ["nope"],
      since: ago(22),
    },
  };
};
