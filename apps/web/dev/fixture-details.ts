import {
  GetResourceResponseSchema,
  ResourceRefSchema,
  type Condition,
  type GetResourceResponse,
  type ResourceRef,
} from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { maskSecret } from "@binnacle/kube";
import { stringify } from "yaml";
import { detailsOf } from "../src/server/details/details-of.ts";
import { toDetailMessages } from "../src/server/detail-parts/to-detail-messages.ts";
import { inUsualOrder } from "../src/server/resource/usual-order.ts";
import { FIXTURE_SLICE, fixtureObject } from "./fixture-objects.ts";

/** What the drawer shows of any resource, made of what `describeResource` is made of: the page of components runs it in a browser. */
export function details(ref: ResourceRef | undefined): GetResourceResponse {
  const nowMs = Date.now();
  const named = ref ?? create(ResourceRefSchema, { kind: "Pod", name: "any" });
  const slices = named.kind === "Service" ? [FIXTURE_SLICE] : undefined;
  const object = fixtureObject(named);
  const isSecret = object.kind === "Secret";
  const shown = isSecret ? maskSecret(object) : object;
  return create(GetResourceResponseSchema, {
    yaml: stringify(inUsualOrder(shown), { lineWidth: 0 }),
    labels: object.metadata.labels ?? {},
    annotations: object.metadata.annotations ?? {},
    ...toDetailMessages(detailsOf(shown, object, { isSecret, nowMs, related: slices })),
    conditions: (named.kind === "Node" ? conditionsOfNode(nowMs) : conditionsOfWorkload(nowMs)).map((condition) => ({
      $typeName: "dashboard.v1.Condition" as const,
      ...condition,
    })),
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
  });
}

type ConditionInit = Pick<Condition, "type" | "status" | "reason" | "message" | "since">;

function conditionsOfWorkload(nowMs: number): ConditionInit[] {
  return [
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
  ];
}

/** Of a node whose kubelet has not reported for a while. */
function conditionsOfNode(nowMs: number): ConditionInit[] {
  const since = timestampFromMs(nowMs - 18 * 60_000);
  return ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type) => ({
    type,
    status: "Unknown",
    reason: "NodeStatusUnknown",
    message: "Kubelet stopped posting node status.",
    since,
  }));
}
