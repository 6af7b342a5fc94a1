import { expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";
import { renderEnglish } from "@binnacle/words/render-english";

import { health } from "../health.ts";

/** Sentences without a recorded case: kind, fields of the object, the sentence. */
const SENTENCES: readonly [string, string, Record<string, unknown>, string][] = [
  [
    "apps/v1",
    "Deployment",
    { status: { conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }] } },
    "The Deployment has exceeded its progress deadline",
  ],
  [
    "apps/v1",
    "Deployment",
    { spec: { replicas: 3 }, status: { replicas: 3, updatedReplicas: 3, availableReplicas: 1 } },
    "1 of 3 updated replicas are available",
  ],
  [
    "apps/v1",
    "Deployment",
    { spec: { replicas: 1 }, status: { replicas: 3, updatedReplicas: 1 } },
    "2 old replicas are pending termination",
  ],
  ["apps/v1", "StatefulSet", { spec: { replicas: 0 }, status: { replicas: 1 } }, "1 pod exists, 0 are wanted"],
  ["v1", "Pod", { status: { phase: "Unknown" } }, "The node does not report on this pod"],
  ["v1", "Pod", { status: { phase: "Odd" } }, "The phase Odd is not known"],
  [
    "v1",
    "Pod",
    { status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] } },
    "Scheduling is blocked by a scheduling gate",
  ],
  [
    "v1",
    "Pod",
    { status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }] } },
    "No node takes the pod: the scheduler gives no reason",
  ],
  ["v1", "Pod", { status: { phase: "Running" } }, "The pod runs and is not ready yet"],
  ["v1", "Pod", { status: { phase: "Failed", reason: "Evicted", message: "no room" } }, "Evicted: no room"],
  ["v1", "Pod", { status: { phase: "Failed", message: "no room" } }, "no room"],
  ["batch/v1", "Job", { status: { conditions: [{ type: "Failed", status: "True" }] } }, "The Job has failed"],
  ["batch/v1", "Job", { status: { conditions: [{ type: "Failed", status: "True", reason: "Tired" }] } }, "The Job has failed: Tired"],
  ["batch/v1", "CronJob", { status: { lastScheduleTime: "2026-01-01T11:00:00Z" } }, "No finished run is known"],
  [
    "batch/v1",
    "CronJob",
    { status: { lastScheduleTime: "2026-01-01T11:00:00Z", lastSuccessfulTime: "2026-01-01T10:00:00Z" } },
    "The run of 2026-01-01T11:00:00Z did not succeed; the last success was at 2026-01-01T10:00:00Z",
  ],
  [
    "batch/v1",
    "CronJob",
    { status: { lastScheduleTime: "2026-01-01T10:00:00Z", lastSuccessfulTime: "2026-01-01T11:00:00Z" } },
    "The last run completed",
  ],
  ["argoproj.io/v1alpha1", "Workflow", { status: { phase: "Succeeded" } }, "The workflow has succeeded"],
  ["argoproj.io/v1alpha1", "Workflow", { status: { phase: "Error" } }, "The workflow has failed"],
  ["argoproj.io/v1alpha1", "Workflow", { status: { phase: "Error", message: "out of luck" } }, "out of luck"],
  ["v1", "PersistentVolume", { status: {} }, "The volume is there"],
  ["v1", "PersistentVolume", { status: { phase: "Pending" } }, "The volume is pending"],
  ["v1", "PersistentVolume", { status: { phase: "Available" } }, "The volume is available"],
  ["v1", "PersistentVolume", { status: { phase: "Released" } }, "The volume is released"],
  ["v1", "PersistentVolume", { status: { phase: "Odd" } }, "The volume is odd"],
  ["v1", "PersistentVolume", { status: { phase: "Failed" } }, "The volume could not be reclaimed"],
  [
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    { status: { conditions: [{ type: "ScalingActive", status: "False", reason: "ScalingDisabled" }] } },
    "Scaling is disabled",
  ],
  [
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    { status: { conditions: [{ type: "AbleToScale", status: "True" }] } },
    "The autoscaler works",
  ],
  ["policy/v1", "PodDisruptionBudget", { status: { currentHealthy: 1, desiredHealthy: 2 } }, "1 healthy pod, 2 are wanted"],
  [
    "v1",
    "Node",
    {
      status: {
        conditions: [
          { type: "Ready", status: "True" },
          { type: "DiskPressure", status: "True" },
        ],
      },
    },
    "The node reports DiskPressure",
  ],
  ["apiregistration.k8s.io/v1", "APIService", { status: { conditions: [{ type: "Available", status: "True" }] } }, "The API is available"],
  ["apiregistration.k8s.io/v1", "APIService", { status: {} }, "Waiting for the API to become available"],
];

const rows = SENTENCES.map(([apiVersion, kind, fields, sentence]) => ({ apiVersion, kind, fields, sentence }));

test.each(rows)("$kind: $sentence", ({ apiVersion, kind, fields, sentence }) => {
  // Parts of an object are all that a rule needs.
  const resource = { apiVersion, kind, metadata: { name: "x", namespace: "env", uid: "u" }, ...fields } as KubeObject;
  expect(renderEnglish(health(resource, { now: "2026-01-01T12:00:00Z" })?.message)).toBe(sentence);
});

const READY = { conditions: { ready: true } };
const NOT_READY = { conditions: { ready: false } };

test.each([
  ["none is known", undefined, ["Healthy", "A Service of this type has no health of its own"]],
  ["its selector matches nothing", [], ["Healthy", "The Service has no endpoints"]],
  ["the only one is not ready", [NOT_READY], ["Progressing", "The only endpoint is not ready"]],
  ["none is ready", [NOT_READY, NOT_READY], ["Progressing", "None of the 2 endpoints is ready"]],
  ["one is ready", [NOT_READY, READY], ["Healthy", "1 of 2 endpoints are ready"]],
])("US4: a Service says how many of its endpoints are ready, and is not well while none is: %s", (_, endpoints, answer) => {
  const metadata = { name: "x-1", namespace: "env", labels: { "kubernetes.io/service-name": "x" } };
  const slice = { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", metadata, endpoints };
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "x", namespace: "env" }, spec: { selector: { app: "x" } } };
  const result = health(service, { now: "2026-01-01T12:00:00Z", related: endpoints === undefined ? [] : [slice] });
  expect([result?.status, renderEnglish(result?.message)]).toEqual(answer);
});

test("a finished run of a CronJob is named by its Job", () => {
  const conditions = [{ type: "Complete", status: "True" }];
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: "x-1",
      namespace: "env",
      uid: "j",
      ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", name: "x", uid: "u" }],
    },
    status: { conditions },
  };
  const cronJob = { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "x", namespace: "env", uid: "u" }, spec: {} };
  const result = health(cronJob, { now: "2026-01-01T12:00:00Z", related: [job] });
  expect(renderEnglish(result?.message)).toBe("The last finished run, Job x-1, completed");
});

test.each([
  [new Error("broken"), "The health rule failed: broken"],
  ["a text", "The health rule failed: unknown error"],
])("a rule that throws is shown as what it is (%s)", (thrown, sentence) => {
  const resource = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "x" },
    get status(): never {
      throw thrown;
    },
  };
  expect(renderEnglish(health(resource, { now: "2026-01-01T12:00:00Z" })?.message)).toBe(sentence);
});
