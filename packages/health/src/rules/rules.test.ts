import { describe, expect, test } from "vitest";

import { inEnglish, renderEnglish } from "@binnacle/words/render-english";

import type { KubeObject } from "@binnacle/kube";

import { health } from "../health.ts";

const NOW = "2026-01-01T12:00:00Z";

type Parts = Record<string, unknown> & { metadata?: Record<string, unknown> };

function object(apiVersion: string, kind: string, { metadata, ...rest }: Parts): KubeObject {
  return { apiVersion, kind, metadata: { name: "x", namespace: "env", uid: "u", ...metadata }, ...rest };
}

function judge(resource: KubeObject, related?: KubeObject[]) {
  const result = health(resource, related === undefined ? { now: NOW } : { now: NOW, related });
  return result === null ? null : `${result.status} ${result.reason}`;
}

function condition(type: string, status: string, rest: Record<string, string> = {}) {
  return { type, status, ...rest };
}

describe("StatefulSet", () => {
  const set = (status: object, partition?: number) =>
    object("apps/v1", "StatefulSet", {
      spec: { replicas: 3, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } } },
      status: { replicas: 3, readyReplicas: 3, ...status },
    });

  test("compares updated replicas with what the partition leaves", () => {
    expect(judge(set({ updatedReplicas: 1, currentRevision: "a", updateRevision: "b" }))).toBe("Progressing RolloutInProgress");
    expect(judge(set({ updatedReplicas: 1, currentRevision: "a", updateRevision: "b" }, 2))).toBe("Healthy Ready");
    expect(judge(set({ currentReplicas: 3, currentRevision: "a", updateRevision: "b" }))).toBe("Progressing RolloutInProgress");
  });

  test("waits for ready pods before it looks at OnDelete", () => {
    const waiting = object("apps/v1", "StatefulSet", {
      spec: { replicas: 1, updateStrategy: { type: "OnDelete" } },
      status: { replicas: 1, readyReplicas: 0 },
    });
    expect(judge(waiting)).toBe("Progressing NotReady");
  });
});

describe("Deployment", () => {
  test("takes the ReplicaSet that it names itself as the newest, even after a rollback", () => {
    const replicaSet = (uid: string, revision: string) =>
      object("apps/v1", "ReplicaSet", {
        metadata: { name: uid, uid, annotations: { "deployment.kubernetes.io/revision": revision }, ownerReferences: [{ uid: "u" }] },
      });
    const failing = object("v1", "Pod", {
      metadata: { name: "p", ownerReferences: [{ uid: "current" }] },
      status: { phase: "Pending", containerStatuses: [{ name: "c", state: { waiting: { reason: "ErrImagePull", message: "no" } } }] },
    });
    const deployment = object("apps/v1", "Deployment", {
      metadata: { annotations: { "deployment.kubernetes.io/revision": "3" } },
      spec: {},
    });
    expect(judge(deployment, [replicaSet("stale", "9"), replicaSet("current", "3"), failing])).toBe("Degraded ErrImagePull");
  });
});

describe("ReplicaSet and DaemonSet", () => {
  const failing = object("v1", "Pod", {
    metadata: { name: "p", ownerReferences: [{ uid: "u" }] },
    status: { phase: "Running", containerStatuses: [{ name: "c", state: { waiting: { reason: "CrashLoopBackOff", message: "m" } } }] },
  });

  test("are Degraded with a failing pod of their own", () => {
    const daemonSet = object("apps/v1", "DaemonSet", { spec: {}, status: { desiredNumberScheduled: 1, updatedNumberScheduled: 1 } });
    expect(judge(object("apps/v1", "ReplicaSet", { spec: {} }), [failing])).toBe("Degraded CrashLoopBackOff");
    expect(judge(daemonSet, [failing])).toBe("Degraded CrashLoopBackOff");
    expect(judge(daemonSet, [])).toBe("Progressing Unavailable");
  });
});

describe("Pod", () => {
  const waiting = {
    phase: "Running",
    containerStatuses: [{ name: "c", state: { waiting: { reason: "CrashLoopBackOff", message: "again" } } }],
  };

  test("that runs to its end stays Progressing and carries the waiting reason", () => {
    const result = health(object("v1", "Pod", { spec: { restartPolicy: "OnFailure" }, status: waiting }), { now: NOW });
    expect(result).toMatchObject({ status: "Progressing", reason: "CrashLoopBackOff" });
    expect(renderEnglish(result?.message)).toContain("again");
  });

  test("names how a container ended", () => {
    const status = { phase: "Failed", containerStatuses: [{ name: "c", state: { terminated: { reason: "OOMKilled", exitCode: 137 } } }] };
    const result = health(object("v1", "Pod", { status }), { now: NOW });
    expect(inEnglish(result)).toMatchObject({
      status: "Degraded",
      reason: "OOMKilled",
      message: "Container c ended with OOMKilled, exit code 137",
    });
  });

  test("behind a scheduling gate is Progressing with that text", () => {
    const conditions = [condition("PodScheduled", "False", { reason: "SchedulingGated", message: "gated" })];
    expect(inEnglish(health(object("v1", "Pod", { status: { phase: "Pending", conditions } }), { now: NOW }))).toMatchObject({
      status: "Progressing",
      reason: "SchedulingGated",
      message: "gated",
    });
  });

  test("of which no node reports is Unknown", () => {
    expect(judge(object("v1", "Pod", { status: { phase: "Unknown" } }))).toBe("Unknown PodUnknown");
  });
});

describe("CronJob", () => {
  const job = (name: string, created: string, ...conditions: object[]) =>
    object("batch/v1", "Job", {
      metadata: { name, uid: name, creationTimestamp: created, ownerReferences: [{ uid: "u" }] },
      status: { conditions },
    });
  const cron = object("batch/v1", "CronJob", {
    spec: {},
    status: { lastScheduleTime: "2026-01-01T11:00:00Z", lastSuccessfulTime: "2026-01-01T10:00:00Z" },
  });
  const failed = job("b", "2026-01-01T10:00:00Z", condition("Failed", "True"));
  const complete = job("a", "2026-01-01T11:00:00Z", condition("Complete", "True"));

  test("is as its newest finished Job, whatever their order", () => {
    expect(judge(cron, [failed, complete])).toBe("Healthy LastRunComplete");
    expect(judge(cron, [complete, failed])).toBe("Healthy LastRunComplete");
    expect(judge(cron, [complete, job("c", "2026-01-01T11:30:00Z", condition("Failed", "True"))])).toBe("Degraded LastRunFailed");
  });

  test("falls back to its timestamps without Jobs, unless one is running", () => {
    expect(judge(cron)).toBe("Degraded LastRunFailed");
    expect(judge(cron, [job("c", "2026-01-01T11:00:00Z")])).toBe("Healthy Running");
  });
});

test("W2j: of two hundred thousand conditions of a built-in kind the first thousand are read", () => {
  let read = 0;
  const conditions = Array.from({ length: 200_000 }, () => ({
    get type() {
      read += 1;
      return "Strange";
    },
  }));
  judge(object("apps/v1", "Deployment", { status: { conditions } }));
  expect(read).toBe(1_000);
});

describe("others", () => {
  test("a Node under pressure is Degraded", () => {
    const conditions = [condition("Ready", "True"), condition("DiskPressure", "True", { message: "disk is full" })];
    expect(judge(object("v1", "Node", { status: { conditions } }))).toBe("Degraded DiskPressure");
  });

  test("a definition is given a minute", () => {
    const definition = (at: string) =>
      object("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
        status: { conditions: [condition("Established", "False", { reason: "NotAccepted", lastTransitionTime: at })] },
      });
    expect(judge(definition("2026-01-01T11:59:30Z"))).toBe("Progressing NotAccepted");
    expect(judge(definition("2026-01-01T11:58:00Z"))).toBe("Degraded NotAccepted");
  });

  test("a hook of Argo CD that only waits for its finalizer is judged by itself", () => {
    const metadata = { deletionTimestamp: NOW, finalizers: ["argocd.argoproj.io/hook-finalizer"] };
    expect(judge(object("batch/v1", "Job", { metadata, status: { conditions: [condition("Complete", "True")] } }))).toBe(
      "Healthy Complete",
    );
  });

  test("a failed volume is Degraded, a released one is not", () => {
    expect(judge(object("v1", "PersistentVolume", { status: { phase: "Failed", message: "no" } }))).toBe("Degraded Failed");
    expect(judge(object("v1", "PersistentVolume", { status: { phase: "Released" } }))).toBe("Healthy Released");
  });

  test("an observedGeneration behind is Progressing wherever the field exists", () => {
    expect(judge(object("batch/v1", "Job", { metadata: { generation: 2 }, status: { observedGeneration: 1 } }))).toBe(
      "Progressing NotObserved",
    );
  });
});
