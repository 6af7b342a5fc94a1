import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, podSpec, waiting } from "../made.ts";

/** A ConfigMap without the entry that a container asks for. */
export const world: MakeFaultWorld = (ago) => {
  const env = [{ name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "mode" } } }];
  const objects = deployment(ago, "config-key-missing", {
    spec: podSpec({ env }),
    pods: [waiting(ago(18), ["CreateContainerConfigError", "couldn't find key mode in ConfigMap app/settings"])],
  });
  objects.push(made(ago, ["v1", "ConfigMap", "settings"], { data: { other: "1" } }));
  return {
    fault: "A ConfigMap without the entry that a container asks for",
    embedded: "scripted",
    objects,
    says: { of: "Deployment config-key-missing", place: "issue", cause: ["mode", "ConfigMap settings"], next: ["mode"], since: ago(18) },
  };
};
