import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, podSpec, warning } from "../made.ts";

/** A Deployment whose ServiceAccount does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({}, { serviceAccountName: "nope" });
  const message = 'pods "account-missing-7d9f-" is forbidden: error looking up service account app/nope: serviceaccount "nope" not found';
  const failed = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message, lastTransitionTime: ago(22) };
  const objects = deployment(ago, "account-missing", { spec, conditions: [failed], setConditions: [failed] });
  objects.push(warning(ago, ofKind(objects, "ReplicaSet"), ["FailedCreate", `Error creating: ${message}`, 22, 1]));
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
