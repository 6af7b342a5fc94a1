import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { health } from "./health.ts";
import { whyOf } from "./why/why-of.ts";

const NOW = "2026-01-01T12:00:00Z";
const CREATED = "2026-01-01T11:15:58Z";
const PATCHED = "2026-01-01T11:17:44Z";

const back = { reason: "CrashLoopBackOff", message: "back-off 10s restarting failed container" };

function ended(exitCode: number, reason: string): object {
  return { terminated: { exitCode, reason, startedAt: PATCHED, finishedAt: PATCHED } };
}

/** Containers of pods that were given their status in one second: an entrypoint that is missing, a sidecar, a failed liveness probe. */
const STATUSES = {
  entry: {
    containerStatuses: [{ name: "app", ready: false, restartCount: 3, state: { waiting: back }, lastState: ended(128, "StartError") }],
  },
  mesh: {
    initContainerStatuses: [{ name: "mesh", ready: false, restartCount: 3, state: { waiting: back }, lastState: ended(1, "Error") }],
    containerStatuses: [{ name: "app", ready: false, restartCount: 0, state: { waiting: { reason: "PodInitializing" } } }],
  },
  liveness: { containerStatuses: [{ name: "app", ready: false, restartCount: 3, state: { running: {} }, lastState: ended(137, "Error") }] },
};

function metadataOf(name: string, creationTimestamp: string, owner?: string): KubeObject["metadata"] {
  const ownerReferences = owner === undefined ? [] : [{ apiVersion: "apps/v1", kind: "X", name: owner, uid: owner, controller: true }];
  return { name, namespace: "env", uid: name, creationTimestamp, ownerReferences };
}

/** A Deployment and its pod, which was created so many seconds later. */
function sinceOf(status: object, laterSeconds: number, conditions: readonly object[] = []): readonly (string | undefined)[] {
  const at = new Date(Date.parse(CREATED) + laterSeconds * 1_000).toISOString().replace(".000Z", "Z");
  const workload: KubeObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataOf("web", CREATED),
    spec: { replicas: 1 },
    status: { replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 },
  };
  const set: KubeObject = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: metadataOf("web-1", CREATED, "web"),
    spec: { replicas: 1 },
    status: { replicas: 1 },
  };
  const pod: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadataOf("web-1-a", at, "web-1"),
    spec: { nodeName: "node-1", containers: [{ name: "app" }] },
    status: { phase: "Running", conditions, ...status },
  };
  const context = { now: NOW, related: [set, pod], events: [] };
  return [whyOf(workload, context)?.firstBadAt, whyOf(pod, context)?.firstBadAt];
}

test.each(Object.entries(STATUSES))(
  "%s is broken since its crash, whether or not its pod was made in the second of its workload",
  (_name, status) => {
    for (const later of [0, 1, 5]) expect(sinceOf(status, later)).toEqual([PATCHED, PATCHED]);
  },
);

test.each(Object.entries(STATUSES))(
  "%s is broken since its condition changed, also when that is the second of its creation",
  (_name, status) => {
    for (const lastTransitionTime of [CREATED, "2026-01-01T11:16:00Z"]) {
      const conditions = [{ type: "Ready", status: "False", reason: "ContainersNotReady", lastTransitionTime }];
      expect(sinceOf(status, 0, conditions)).toEqual([lastTransitionTime, lastTransitionTime]);
    }
  },
);

test("a workload whose broken pod has no time is not reported as broken since its creation", () => {
  const pod: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "p",
      namespace: "env",
      creationTimestamp: CREATED,
      ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: "db" }],
    },
    status: { phase: "Running", ...STATUSES.entry },
  };
  const set: KubeObject = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "env", uid: "db", creationTimestamp: "2026-01-01T11:00:00Z" },
    spec: { replicas: 1 },
    status: { replicas: 1 },
  };
  expect(health(set, { now: NOW, related: [pod] })).toMatchObject({ status: "Degraded" });
  expect(health(set, { now: NOW, related: [pod] })).not.toHaveProperty("since");
});
