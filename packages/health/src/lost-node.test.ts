import type { KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { health } from "./health.ts";
import { whyOf } from "./why/why-of.ts";

const NOW = "2026-01-01T12:00:00Z";
const SINCE = "2026-01-01T11:45:00Z";

interface PodFacts {
  readonly ready?: object;
  readonly conditions?: readonly object[];
  readonly container?: object;
  readonly status?: object;
  readonly metadata?: object;
  readonly spec?: object;
}

/** A pod as it is left when its node stops reporting: only the condition Ready has been changed. */
function podOf({ ready, conditions = [], container, status, metadata, spec }: PodFacts = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-0", namespace: "env", creationTimestamp: "2026-01-01T10:00:00Z", ...metadata },
    spec: { nodeName: "bench-1", containers: [{ name: "app" }], ...spec },
    status: {
      phase: "Running",
      startTime: "2026-01-01T10:00:00Z",
      conditions: [...conditions, { type: "Ready", status: "False", lastTransitionTime: SINCE, ...ready }],
      containerStatuses: [{ name: "app", ready: true, restartCount: 0, state: { running: {} }, ...container }],
      ...status,
    },
  };
}

function reasonOf(pod: KubeObject): string {
  const result = health(pod, { now: NOW });
  return `${result?.status} ${result?.reason}`;
}

describe("S1, S2: a pod on a node that is not ready", () => {
  test("is degraded since the node controller marked it", () => {
    expect(health(podOf(), { now: NOW })).toMatchObject({ status: "Degraded", reason: "NodeLost", since: SINCE, stale: false });
  });

  test("says so in its Job, too, which goes on", () => {
    const owner = { apiVersion: "batch/v1", kind: "Job", name: "load", uid: "load", controller: true };
    const pod = podOf({ metadata: { ownerReferences: [owner] }, spec: { restartPolicy: "Never" } });
    const metadata = { name: "load", namespace: "env", uid: "load", creationTimestamp: "2026-01-01T10:00:00Z" };
    const job: KubeObject = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: { completions: 1 },
      status: { active: 1, startTime: "2026-01-01T10:00:00Z" },
    };
    expect(health(job, { now: NOW, related: [pod] })).toMatchObject({ status: "Progressing", reason: "NodeLost", since: SINCE });
  });

  test.each<[string, PodFacts, string]>([
    [
      "a kubelet that says why its containers are not ready",
      { ready: { reason: "ContainersNotReady" }, container: { ready: false } },
      "Progressing NotReady",
    ],
    [
      "a readiness gate",
      { ready: { reason: "ReadinessGatesNotReady" }, spec: { readinessGates: [{ conditionType: "lb" }] } },
      "Progressing NotReady",
    ],
    ["a container that is not ready", { container: { ready: false } }, "Progressing NotReady"],
    ["containers that together are not ready", { conditions: [{ type: "ContainersReady", status: "False" }] }, "Progressing NotReady"],
    ["a pod of which no container is known", { status: { containerStatuses: [] } }, "Progressing NotReady"],
    ["a pod without a node", { spec: { nodeName: "" } }, "Progressing NotReady"],
    ["a pod that is ready", { ready: { status: "True" } }, "Healthy Ready"],
  ])("is not confused with %s", (_what, facts, expected) => {
    expect(reasonOf(podOf(facts))).toBe(expected);
  });
});

describe("S2: a pod that the kubelet of its node does not take", () => {
  const scheduled = (secondsAgo: number) => ({
    type: "PodScheduled",
    status: "True",
    lastTransitionTime: new Date(Date.parse(NOW) - secondsAgo * 1_000).toISOString(),
  });
  const waitingPod = (secondsAgo: number, status: object = {}): KubeObject =>
    podOf({ status: { phase: "Pending", startTime: undefined, conditions: [scheduled(secondsAgo)], containerStatuses: [], ...status } });

  test("is no pod that is starting, and no next step is to wait", () => {
    expect(reasonOf(waitingPod(90))).toBe("Progressing NotTaken");
    const why = whyOf(waitingPod(90), { now: NOW, related: [], events: [] });
    expect(why).toMatchObject({ reason: "NotTaken", rootKey: "object//Node//bench-1#start/not-taken" });
    expect([why?.message.id, why?.nextStep.id]).toEqual(["start/not-taken", "start/not-taken/next"]);
  });

  test.each<[string, KubeObject]>([
    ["it was scheduled less than a minute ago", waitingPod(20)],
    ["the kubelet has taken it", waitingPod(90, { startTime: SINCE })],
    ["no node has it", { ...waitingPod(90), spec: { containers: [{ name: "app" }] } }],
  ])("is starting while %s", (_what, pod) => {
    expect(reasonOf(pod)).toBe("Progressing Pending");
  });

  test("is the fault of the node where the node can be read, with what is known of it", () => {
    const node: KubeObject = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "bench-1", creationTimestamp: "2025-12-01T00:00:00Z" },
      status: {
        conditions: [
          {
            type: "Ready",
            status: "Unknown",
            reason: "NodeStatusUnknown",
            message: "Kubelet stopped posting node status.",
            lastTransitionTime: SINCE,
          },
        ],
      },
    };
    const why = whyOf(waitingPod(90), { now: NOW, related: [node], events: [] });
    expect(why).toMatchObject({ reason: "NodeNotReady", rootKey: "object//Node//bench-1#node/not-ready", firstBadAt: SINCE });
  });
});
