import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** An autoscaler of a Deployment that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const scaler = made(ago, ["autoscaling/v2", "HorizontalPodAutoscaler", "autoscaler-target"], {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nope" },
      minReplicas: 1,
      maxReplicas: 4,
      metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
    },
    status: {
      currentReplicas: 1,
      conditions: [
        {
          type: "AbleToScale",
          status: "False",
          reason: "FailedGetScale",
          message: 'the HPA controller was unable to get the target\'s current scale: deployments.apps "nope" not found',
          lastTransitionTime: ago(45),
        },
      ],
    },
  });
  const objects = [scaler];
  return {
    fault: "An autoscaler of a Deployment that does not exist",
    embedded: "scripted",
    objects,
    says: {
      of: "HorizontalPodAutoscaler autoscaler-target",
      place: "issue",
      cause: ["Deployment nope does not exist"],
      next: ["nope"],
      since: ago(45),
    },
  };
};
