import type { MakeFaultWorld } from "../fault-world.ts";
import { daemonSet, podSpec, ready, waiting } from "../made.ts";

/** A DaemonSet whose pod on one of its nodes cannot pull its image. */
export const world: MakeFaultWorld = (ago) => {
  const image = "registry.example/shop/agent:9";
  const spec = podSpec({ image });
  const stuck = waiting(ago(24), ["ImagePullBackOff", `Back-off pulling image "${image}"`]);
  return {
    fault: "A DaemonSet whose pod on one of its nodes cannot pull its image",
    embedded: "scripted",
    objects: daemonSet(ago, "daemon-set-pull", { spec, pods: [ready(ago(50)), { ...stuck, node: "bench-2" }] }),
    says: { of: "DaemonSet daemon-set-pull", place: "issue", cause: [image], next: [`Check that the image ${image}`], since: ago(24) },
  };
};
