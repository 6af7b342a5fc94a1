import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ready } from "../made.ts";

/** An autoscaler without metrics, whose target has a container without a request. */
export const world: MakeFaultWorld = (ago) => {
  const scaler = made(ago, ["autoscaling/v2", "HorizontalPodAutoscaler", "autoscaler-metrics"], {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "autoscaled" },
      minReplicas: 1,
      maxReplicas: 4,
      metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
    },
    status: {
      currentReplicas: 1,
      conditions: [
        { type: "AbleToScale", status: "True", reason: "SucceededGetScale", lastTransitionTime: ago(50) },
        {
          type: "ScalingActive",
          status: "False",
          reason: "FailedGetResourceMetric",
          message:
            "unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource",
          lastTransitionTime: ago(45),
        },
      ],
    },
  });
  const objects = [scaler, ...deployment(ago, "autoscaled", { pods: [ready(ago(50))], ready: 1 })];
  return {
    fault: "An autoscaler without metrics, whose target has a container without a request",
    embedded: "scripted",
    objects,
    says: {
      of: "HorizontalPodAutoscaler autoscaler-metrics",
      place: "issue",
      cause: ["gets no metrics for Deployment autoscaled", "container app has no request for cpu"],
      next: ["metrics-server"],
      since: ago(45),
    },
  };
};
