import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ready } from "../made.ts";

/** An autoscaler that would make more pods than it may. */
export const world: MakeFaultWorld = (ago) => {
  const scaler = made(ago, ["autoscaling/v2", "HorizontalPodAutoscaler", "autoscaler-maximum"], {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "busy" },
      minReplicas: 1,
      maxReplicas: 2,
      metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 2,
      conditions: [
        { type: "AbleToScale", status: "True", reason: "ReadyForNewScale", lastTransitionTime: ago(50) },
        { type: "ScalingActive", status: "True", reason: "ValidMetricFound", lastTransitionTime: ago(50) },
        { type: "ScalingLimited", status: "True", reason: "TooManyReplicas", lastTransitionTime: ago(28) },
      ],
    },
  });
  return {
    fault: "An autoscaler that would make more pods than it may",
    embedded: "scripted",
    objects: [scaler, ...deployment(ago, "busy", { pods: [ready(ago(50)), ready(ago(50))], ready: 2 })],
    says: {
      of: "HorizontalPodAutoscaler autoscaler-maximum",
      place: "issue",
      cause: ["autoscaler-maximum", "2"],
      next: ["maxReplicas"],
      since: ago(28),
    },
  };
};
