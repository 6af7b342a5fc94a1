import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec, waiting } from "../made.ts";

/** A pod that takes its variables from a ConfigMap that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({ envFrom: [{ configMapRef: { name: "nope" } }] });
  const objects = deployment(ago, "config-missing", {
    spec,
    pods: [waiting(ago(18), ["CreateContainerConfigError", 'configmap "nope" not found'])],
  });
  return {
    fault: "A pod that takes its variables from a ConfigMap that does not exist",
    embedded: "scripted",
    objects,
    says: { of: "Deployment config-missing", place: "issue", cause: ["ConfigMap nope does not exist"], next: ["nope"], since: ago(18) },
  };
};
