import { readdirSync, readFileSync } from "node:fs";

import type { KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { activityOf, type Activity } from "./activity.ts";
import { health } from "./health.ts";
import { refOf } from "./health-ref.ts";
import { rollUp } from "./roll-up.ts";
import type { WhyContext } from "./why/why.ts";
import { whyOf } from "./why/why-of.ts";

const FOLDER = new URL("../fixtures/why-cases/", import.meta.url);
const NOW = "2026-01-01T12:00:00Z";

interface Recorded {
  readonly name: string;
  readonly resource: KubeObject;
  readonly context: WhyContext;
}

const recorded = readdirSync(FOLDER).map((file): Recorded => {
  // The files are ours and have this shape; why-cases.test.ts fails on another.
  const content = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as Omit<Recorded, "name">;
  return { ...content, name: file.replace(".json", "") };
});

function activityIn({ resource, context }: Omit<Recorded, "name">): Activity | undefined {
  const result = health(resource, context);
  return result === null ? undefined : activityOf(result, whyOf(resource, context) ?? undefined);
}

function byName(name: string): Recorded {
  const found = recorded.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found;
}

/** An object that is in progress without a rollout, as ux-3 found it called "rolling out". */
function simple(apiVersion: string, kind: string, rest: object): Omit<Recorded, "name"> {
  const metadata = { name: "x", namespace: "env", uid: "x", creationTimestamp: "2026-01-01T11:58:00Z" };
  return { resource: { apiVersion, kind, metadata, ...rest }, context: { now: NOW, related: [], events: [] } };
}

const UNSCHEDULED = simple("v1", "Pod", {
  status: {
    phase: "Pending",
    conditions: [
      {
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message: "0/3 nodes are available",
        lastTransitionTime: "2026-01-01T11:58:00Z",
      },
    ],
  },
});

describe("S1: what is in progress has exactly the expected activity", () => {
  test.each<[string, Omit<Recorded, "name">, Activity | undefined]>([
    [
      "an autoscaler without metrics",
      simple("autoscaling/v2", "HorizontalPodAutoscaler", {
        status: {
          conditions: [
            {
              type: "ScalingActive",
              status: "False",
              reason: "FailedGetResourceMetric",
              message: "m",
              lastTransitionTime: "2026-01-01T11:58:00Z",
            },
          ],
        },
      }),
      "waiting",
    ],
    ["a claim without a class", simple("v1", "PersistentVolumeClaim", { spec: {}, status: { phase: "Pending" } }), "waiting"],
    [
      "a ConfigMap that a finalizer holds",
      simple("v1", "ConfigMap", {
        metadata: {
          name: "x",
          namespace: "env",
          creationTimestamp: "2026-01-01T11:00:00Z",
          deletionTimestamp: "2026-01-01T11:58:00Z",
          finalizers: ["a/b"],
        },
      }),
      "deleting",
    ],
    [
      "a budget that is not met",
      simple("policy/v1", "PodDisruptionBudget", {
        status: {
          currentHealthy: 1,
          desiredHealthy: 2,
          expectedPods: 2,
          disruptionsAllowed: 0,
          conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
        },
      }),
      "waiting",
    ],
    ["a pod that no node has room for", UNSCHEDULED, "waiting"],
    ["a DaemonSet with a pod on a dead node", byName("start-not-taken"), "not-ready"],
    ["a Deployment on a lost node", byName("node-lost-by-pod"), "not-ready"],
    ["a StatefulSet whose pod stays on a lost node", byName("node-lost-stateful-set"), "not-ready"],
    ["a pod that crashes", byName("crash-exit-1"), undefined],
    ["a Deployment that replaces its pods", byName("rollout-progress"), "rolling-out"],
    ["a Job that runs", byName("job-running"), "running"],
  ])("S1: %s", (_what, each, expected) => {
    expect(activityIn(each)).toBe(expected);
  });

  test("S1: of all recorded cases, only workloads that replace pods are rolling out", () => {
    const rolling = recorded.filter((each) => activityIn(each) === "rolling-out");
    const reasons = rolling.map(({ resource, context }) => `${resource.kind} ${health(resource, context)?.reason}`);
    expect([...new Set(reasons)].sort()).toEqual(["Deployment OldReplicas", "Deployment RolloutInProgress"]);
    expect(rolling.length).toBeGreaterThan(5);
  });

  test("S1: activities are counted by status and name their nodes", () => {
    const roots = [byName("node-lost-by-pod"), byName("start-not-taken"), { name: "p", ...UNSCHEDULED }, byName("crash-exit-1")].map(
      ({ name, resource, context }) => ({
        ref: { ...refOf({ ...resource }), name },
        health: health(resource, context),
        why: whyOf(resource, context),
      }),
    );
    expect(rollUp(roots).activities).toEqual([
      { status: "Degraded", activity: "not-ready", count: 1, nodes: ["node-1"] },
      { status: "Progressing", activity: "not-ready", count: 1, nodes: ["worker-9"] },
      { status: "Progressing", activity: "waiting", count: 1, nodes: [] },
    ]);
  });
});
