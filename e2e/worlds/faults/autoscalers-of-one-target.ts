import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ready } from "../made.ts";

/** Two autoscalers of one Deployment. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "autoscalers-web", { pods: [ready(ago(50))], ready: 1 });
  const message = "pods by selector app=autoscalers-web are controlled by multiple HPAs: [app/autoscalers-one app/autoscalers-two]";
  const scaler = (name: string) =>
    made(ago, ["autoscaling/v2", "HorizontalPodAutoscaler", name], {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "autoscalers-web" },
        minReplicas: 1,
        maxReplicas: 4,
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
      },
      status: {
        currentReplicas: 1,
        desiredReplicas: 0,
        conditions: [
          { type: "AbleToScale", status: "True", reason: "SucceededGetScale", message: "", lastTransitionTime: ago(45) },
          { type: "ScalingActive", status: "False", reason: "AmbiguousSelector", message, lastTransitionTime: ago(45) },
        ],
      },
    });
  return {
    fault: "Two autoscalers of one Deployment",
    objects: [...objects, scaler("autoscalers-one"), scaler("autoscalers-two")],
    says: {
      of: "HorizontalPodAutoscaler autoscalers-two",
      place: "issue",
      cause: ["belong to several autoscalers, also to"],
      next: ["Let one autoscaler scale these pods"],
      since: ago(45),
    },
  };
};
