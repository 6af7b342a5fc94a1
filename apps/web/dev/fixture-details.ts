import { GetResourceResponseSchema, type GetResourceResponse } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

/** What the drawer shows of any resource. */
export function details(kind: string, name: string): GetResourceResponse {
  const nowMs = Date.now();
  return create(GetResourceResponseSchema, {
    yaml: `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: shop-prod\nspec:\n  replicas: 5\n`,
    conditions: [
      {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
        since: timestampFromMs(nowMs - 240_000),
      },
      {
        type: "Progressing",
        status: "True",
        reason: "ReplicaSetUpdated",
        message: "ReplicaSet is progressing.",
        since: timestampFromMs(nowMs - 300_000),
      },
    ].map((condition) => ({ $typeName: "dashboard.v1.Condition" as const, ...condition })),
    events: [
      { type: "Warning", reason: "Failed", message: 'Error: configmap "checkout-flags" not found', count: 12 },
      { type: "Normal", reason: "Pulled", message: 'Image "shop/api:3.14.0" pulled in 1.8 s', count: 1 },
    ].map((event) => ({
      $typeName: "dashboard.v1.ResourceEvent" as const,
      source: "kubelet",
      firstAt: timestampFromMs(nowMs - 300_000),
      lastAt: timestampFromMs(nowMs - 20_000),
      ...event,
    })),
    labels: { app: name, "app.kubernetes.io/part-of": "shop" },
    annotations: {},
  });
}
