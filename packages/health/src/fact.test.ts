import { expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";
import { renderEnglish } from "@binnacle/words/render-english";

import { factOf } from "./fact.ts";
import { replicasOf } from "./replicas.ts";

function object(apiVersion: string, kind: string, rest: Record<string, unknown> = {}): KubeObject {
  return { apiVersion, kind, metadata: { name: "x", namespace: "env" }, ...rest };
}

const failing = object("v1", "Pod", {
  spec: { containers: [{}, {}] },
  status: {
    phase: "Pending",
    containerStatuses: [{ ready: true }, { ready: false, state: { waiting: { reason: "ImagePullBackOff" } } }],
  },
});

const slice = object("discovery.k8s.io/v1", "EndpointSlice", {
  metadata: { name: "x-1", labels: { "kubernetes.io/service-name": "x" } },
  endpoints: [
    { targetRef: { uid: "a" }, conditions: { ready: true } },
    { targetRef: { uid: "a" }, conditions: { ready: false } },
    { targetRef: { uid: "b" }, conditions: { ready: false } },
  ],
});

const service = object("v1", "Service", { spec: { type: "ClusterIP", ports: [{ port: 80 }] } });

test.each<[string, KubeObject, KubeObject[] | undefined]>([
  ["1/2 ready · ImagePullBackOff", failing, undefined],
  ["2/3 ready", object("apps/v1", "Deployment", { spec: { replicas: 3 }, status: { readyReplicas: 2 } }), undefined],
  ["0/1 ready · ImagePullBackOff", object("apps/v1", "StatefulSet"), [failing]],
  ["0/0 ready", object("apps/v1", "DaemonSet"), undefined],
  ["ClusterIP :80", service, undefined],
  ["ClusterIP :80 · 1/2", service, [slice]],
  ["ClusterIP :80 · 0 endpoints", service, []],
  ["ExternalName db.example", object("v1", "Service", { spec: { type: "ExternalName", externalName: "db.example" } }), undefined],
  ["1/2 ready", slice, undefined],
  ["3 keys", object("v1", "ConfigMap", { data: { a: "", b: "" }, binaryData: { c: "" } }), undefined],
  ["0 keys", object("v1", "ConfigMap"), undefined],
  ["", object("v1", "Secret"), undefined],
  [
    "a.example +1",
    object("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ host: "a.example" }, { host: "b.example" }] } }),
    undefined,
  ],
  [
    "a.example",
    object("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ host: "a.example" }, { host: "a.example" }, {}] } }),
    undefined,
  ],
  ["all hosts", object("networking.k8s.io/v1", "Ingress", { spec: { rules: [{ http: {} }] } }), undefined],
  ["all hosts", object("networking.k8s.io/v1", "Ingress"), undefined],
  ["all pods", object("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {} } }), undefined],
  [
    "some pods · Ingress, Egress",
    object("networking.k8s.io/v1", "NetworkPolicy", {
      spec: { podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Ingress", "Egress"] },
    }),
    undefined,
  ],
  [
    "some pods · Ingress",
    object("networking.k8s.io/v1", "NetworkPolicy", {
      spec: { podSelector: { matchExpressions: [{ key: "app", operator: "Exists" }] }, policyTypes: ["Ingress", 7] },
    }),
    undefined,
  ],
  ["10Gi · Bound", object("v1", "PersistentVolumeClaim", { status: { phase: "Bound", capacity: { storage: "10Gi" } } }), undefined],
  ["0 * * * * · suspended", object("batch/v1", "CronJob", { spec: { schedule: "0 * * * *", suspend: true } }), undefined],
  ["1/3 done · 2 active", object("batch/v1", "Job", { spec: { completions: 3 }, status: { succeeded: 1, active: 2 } }), undefined],
  [
    "2 replicas · 1–5",
    object("autoscaling/v2", "HorizontalPodAutoscaler", { spec: { maxReplicas: 5 }, status: { currentReplicas: 2 } }),
    undefined,
  ],
  [
    "not ready · Denied",
    object("example.com/v1", "Widget", { status: { conditions: [{ type: "Ready", status: "False", reason: "Denied" }] } }),
    undefined,
  ],
])("says %s", (fact, resource, related) => {
  expect(renderEnglish(factOf(resource, related))).toBe(fact);
});

test("replicas are those of workloads, and of custom resources that count the same way", () => {
  expect(replicasOf(object("apps/v1", "Deployment", { spec: {}, status: {} }))).toEqual({ ready: 0, wanted: 1 });
  expect(replicasOf(object("apps/v1", "DaemonSet", { status: { numberReady: 2, desiredNumberScheduled: 3 } }))).toEqual({
    ready: 2,
    wanted: 3,
  });
  expect(replicasOf(object("example.com/v1", "Widget", { spec: { replicas: 2 }, status: { readyReplicas: 1 } }))).toEqual({
    ready: 1,
    wanted: 2,
  });
  expect(replicasOf(object("v1", "Service"))).toBeNull();
});
