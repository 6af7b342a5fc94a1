import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ofKind, podSpec, waiting, warning } from "../made.ts";

/** A ConfigMap without the entry that a volume takes from it. */
export const world: MakeFaultWorld = (ago) => {
  const volumes = [{ name: "conf", configMap: { name: "site-conf", items: [{ key: "app.yaml", path: "app.yaml" }] } }];
  const objects = deployment(ago, "config-volume-key", {
    spec: podSpec({}, { volumes }),
    pods: [{ ...waiting(ago(24), ["ContainerCreating", ""]), metadata: { creationTimestamp: ago(24) } }],
  });
  const message = 'MountVolume.SetUp failed for volume "conf" : configmap references non-existent config key: app.yaml';
  objects.push(
    made(ago, ["v1", "ConfigMap", "site-conf"], { data: { other: "1" } }),
    warning(ago, ofKind(objects, "Pod"), ["FailedMount", message, 23, 1]),
  );
  return {
    fault: "A ConfigMap without the entry that a volume takes from it",
    objects,
    says: {
      of: "Deployment config-volume-key",
      place: "issue",
      cause: ["ConfigMap site-conf has no key app.yaml"],
      next: ["app.yaml"],
      since: ago(24),
    },
  };
};
