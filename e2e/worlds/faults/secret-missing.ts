import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec, waiting } from "../made.ts";

/** A container that takes a variable from a Secret that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({ env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "no-credentials", key: "token" } } }] });
  const objects = deployment(ago, "secret-missing", {
    spec,
    pods: [waiting(ago(18), ["CreateContainerConfigError", 'secret "no-credentials" not found'])],
  });
  return {
    fault: "A container that takes a variable from a Secret that does not exist",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment secret-missing",
      place: "issue",
      cause: ["Secret no-credentials does not exist"],
      next: ["no-credentials"],
      since: ago(18),
    },
  };
};
