import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A HelmRelease that could not be installed. */
export const world: MakeFaultWorld = (ago) => {
  const failed = {
    type: "Ready",
    status: "False",
    reason: "InstallFailed",
    message: "Helm install failed: timed out",
    lastTransitionTime: ago(33),
  };
  const objects = [
    made(ago, ["helm.toolkit.fluxcd.io/v2", "HelmRelease", "helm-release"], {
      metadata: { generation: 1 },
      spec: { interval: "5m" },
      status: { observedGeneration: 1, conditions: [failed] },
    }),
  ];
  return {
    fault: "A HelmRelease that could not be installed",
    embedded: "scripted",
    objects,
    says: {
      of: "HelmRelease helm-release",
      place: "issue",
      cause: ["Helm install failed: timed out"],
      next: ["condition Ready", "helm-controller"],
      since: ago(33),
    },
  };
};
