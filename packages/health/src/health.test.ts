import { describe, expect, test } from "vitest";

import { renderEnglish } from "@binnacle/words/render-english";

import type { KubeObject } from "@binnacle/kube";

import { health } from "./health.ts";

const NOW = "2026-01-01T12:00:00Z";
const PULL = 'Back-off pulling image "nosuch.invalid/app:1"';

function pod(name: string, owner: string, waiting?: { reason: string; message: string }): KubeObject {
  const state = waiting === undefined ? { running: {} } : { waiting };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "env", uid: `u-${name}`, ownerReferences: [reference("apps/v1", "ReplicaSet", owner)] },
    spec: { containers: [{ name: "app" }] },
    status: { phase: waiting === undefined ? "Running" : "Pending", containerStatuses: [{ name: "app", ready: false, state }] },
  };
}

function reference(apiVersion: string, kind: string, uid: string) {
  return { apiVersion, kind, name: uid, uid, controller: true };
}

function replicaSet(name: string, revision: string): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name,
      namespace: "env",
      uid: name,
      annotations: { "deployment.kubernetes.io/revision": revision },
      ownerReferences: [reference("apps/v1", "Deployment", "web")],
    },
  };
}

const rollingOut: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "env", uid: "web", generation: 2, creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { replicas: 1 },
  status: { observedGeneration: 2, replicas: 2, updatedReplicas: 1, availableReplicas: 1, readyReplicas: 1 },
};

describe("a Deployment", () => {
  const bad = pod("web-new-1", "new", { reason: "ImagePullBackOff", message: PULL });

  test("is Degraded in the words of a failing pod of its newest ReplicaSet", () => {
    const related = [bad, replicaSet("old", "9"), replicaSet("new", "10"), pod("web-old-1", "old")];
    const result = health(rollingOut, { now: NOW, related });
    expect(result).toMatchObject({ status: "Degraded", reason: "ImagePullBackOff", stale: false });
    expect(renderEnglish(result?.message)).toContain("web-new-1");
    expect(renderEnglish(result?.message)).toContain(PULL);
    expect(result?.causes).toMatchObject([{ ref: { kind: "Pod", name: "web-new-1", uid: "u-web-new-1" }, reason: "ImagePullBackOff" }]);
  });

  test("UB2: names five of its failing pods, and counts the others", () => {
    const pods = Array.from({ length: 8 }, (_, n) => pod(`web-new-${n}`, "new", { reason: "ImagePullBackOff", message: PULL }));
    const result = health(rollingOut, { now: NOW, related: [...pods, replicaSet("new", "10")] });
    expect(result?.causes).toHaveLength(5);
    expect(result?.moreCauses).toBe(3);
    expect(renderEnglish(result?.message)).toContain("(and 7 more pods)");
    expect(health(rollingOut, { now: NOW, related: [bad, replicaSet("new", "10")] })).not.toHaveProperty("moreCauses");
  });

  test("does not mind a failing pod of an old ReplicaSet", () => {
    const related = [{ ...bad, metadata: { ...bad.metadata, ownerReferences: [reference("apps/v1", "ReplicaSet", "old")] } }];
    const result = health(rollingOut, { now: NOW, related: [...related, replicaSet("old", "1"), replicaSet("new", "2")] });
    expect(result?.status).toBe("Progressing");
  });

  test("does not mind a failing pod that is being deleted", () => {
    const going = { ...bad, metadata: { ...bad.metadata, deletionTimestamp: NOW } };
    expect(health(rollingOut, { now: NOW, related: [going, replicaSet("new", "2")] })?.status).toBe("Progressing");
  });

  test("keeps the pod's words after its deadline has passed", () => {
    const conditions = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "too late" }];
    const late = { ...rollingOut, status: { observedGeneration: 2, replicas: 2, updatedReplicas: 1, conditions } };
    expect(health(late, { now: NOW, related: [bad, replicaSet("new", "2")] })?.reason).toBe("ImagePullBackOff");
    expect(health(late, { now: NOW, related: [] })?.reason).toBe("ProgressDeadlineExceeded");
  });

  test("says the same whatever the order of its pods", () => {
    const related = [bad, pod("web-new-0", "new", { reason: "CrashLoopBackOff", message: "back-off 5m" }), replicaSet("new", "2")];
    const result = health(rollingOut, { now: NOW, related });
    expect(health(rollingOut, { now: NOW, related: [...related].reverse() })).toEqual(result);
    expect(result?.reason).toBe("CrashLoopBackOff");
    expect(renderEnglish(result?.message)).toContain("1 more pod");
  });
});

describe("any kind", () => {
  test("is Terminating while it is being deleted, lists its finalizers, and is stale after ten minutes", () => {
    const going = (at: string): KubeObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "c", deletionTimestamp: at, finalizers: ["x/y"] },
    });
    const fresh = health(going("2026-01-01T11:55:00Z"), { now: NOW });
    expect(fresh).toMatchObject({ status: "Progressing", reason: "Terminating", stale: false, since: "2026-01-01T11:55:00Z" });
    expect(renderEnglish(fresh?.message)).toContain("x/y");
    expect(health(going("2026-01-01T11:49:00Z"), { now: NOW })?.stale).toBe(true);
    expect(health(going("2026-01-01T11:49:00Z"), { now: new Date(NOW) })?.stale).toBe(true);
  });

  test("of Kubernetes without a rule has no opinion", () => {
    for (const [apiVersion, kind] of [
      ["v1", "Secret"],
      ["rbac.authorization.k8s.io/v1", "Role"],
      ["discovery.k8s.io/v1", "EndpointSlice"],
      ["v1", "Event"],
    ] as const) {
      expect(health({ apiVersion, kind, metadata: { name: "x" } }, { now: NOW })).toBeNull();
    }
  });
});

describe("without a second argument nothing is known", () => {
  test("and nothing is old", () => {
    const untyped: (resource: unknown, context?: unknown) => unknown = health as (resource: unknown) => unknown;
    const unscheduled = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", creationTimestamp: "2020-01-01T00:00:00Z" },
      status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes" }] },
    };
    expect(untyped(unscheduled)).toMatchObject({ status: "Progressing", reason: "Unschedulable", stale: false });
    expect(untyped(unscheduled, null)).toMatchObject({ status: "Progressing" });
    expect(untyped(unscheduled, { now: "never" })).toMatchObject({ status: "Progressing" });
    expect(untyped(unscheduled, { now: NOW })).toMatchObject({ status: "Degraded" });
  });

  test("and what is not an object has no opinion", () => {
    const untyped: (resource: unknown) => unknown = health as (resource: unknown) => unknown;
    for (const odd of [undefined, null, 1, "x", [], {}, { kind: 3 }]) expect(untyped(odd)).toBeNull();
  });
});
