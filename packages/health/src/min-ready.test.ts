import { expect, test } from "vitest";

import { health } from "./health.ts";

const NOW = "2026-01-01T12:00:00Z";

const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "x", uid: "u" };

function podReadySince(name: string, lastTransitionTime: string) {
  const metadata = { name, namespace: "env", ownerReferences: [owner], creationTimestamp: "2026-01-01T10:00:00Z" };
  const conditions = [{ type: "Ready", status: "True", lastTransitionTime }];
  return { apiVersion: "v1", kind: "Pod", metadata, status: { phase: "Running", conditions } };
}

test.each([
  { minReadySeconds: 7_200, stale: false, time: "2026-01-01 13:00" },
  { minReadySeconds: 60, stale: true, time: "2026-01-01 11:01" },
])("US16: minReadySeconds that end at $time are late: $stale", ({ minReadySeconds, stale, time }) => {
  const status = { observedGeneration: 1, replicas: 2, readyReplicas: 2, availableReplicas: 1 };
  const metadata = { name: "x", namespace: "env", uid: "u", generation: 1, creationTimestamp: "2026-01-01T10:00:00Z" };
  const conditions = [{ type: "Available", status: "False", lastTransitionTime: "2026-01-01T10:00:00Z" }];
  const set = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: 2, minReadySeconds },
    status: { ...status, updatedReplicas: 2, conditions },
  };
  const maker = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "x-1", namespace: "env", uid: "r", ownerReferences: [{ ...owner, kind: "Deployment" }] },
  };
  const pods = [podReadySince("a", "2026-01-01T10:30:00Z"), podReadySince("b", "2026-01-01T11:00:00Z")];
  const related = [
    maker,
    ...pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [{ ...owner, kind: "ReplicaSet", uid: "r" }] } })),
  ];
  expect(health(set, { now: NOW, related })).toMatchObject({ status: "Progressing", stale, message: { facts: { time } } });
});

test("US16: for pods that are not all known there is no time when they count", () => {
  const metadata = { name: "x", namespace: "env", uid: "u" };
  const status = { replicas: 2, readyReplicas: 2, availableReplicas: 0, currentReplicas: 2 };
  const set = { apiVersion: "apps/v1", kind: "StatefulSet", metadata, spec: { replicas: 2, minReadySeconds: 60 }, status };
  const related = [podReadySince("a", "2026-01-01T10:30:00Z")];
  expect(health(set, { now: NOW, related })?.message).toEqual({ id: "workload/min-ready", facts: { seconds: 60 } });
});
