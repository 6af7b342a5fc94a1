import { expect, test } from "vitest";

import { madeObject, DETAILS_AT, detailLines } from "./testing/detail-lines.ts";

const template = { spec: { serviceAccountName: "till", containers: [{ name: "app", image: "till:2" }] } };
const selector = {
  matchLabels: { app: "till" },
  matchExpressions: [
    { key: "tier", operator: "In", values: ["a", "b"] },
    { key: "old", operator: "DoesNotExist" },
  ],
};
const AFTER = ["Selector: app=till,tier in (a, b),!old", "Service account: →/ServiceAccount/shop/till"];
const CONTAINERS = ["# Containers", "## app", "Image: till:2", "Resources: no requests, no limits"];

test("a Deployment tells its strategy, revision and how far it has come", () => {
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } };
  const annotations = { "deployment.kubernetes.io/revision": "42" };
  const deployment = madeObject("apps/v1 Deployment", {
    metadata: { annotations },
    spec: { replicas: 3, strategy, selector, template, paused: true, minReadySeconds: 5 },
    status: { updatedReplicas: 1, availableReplicas: 3 },
  });
  expect(detailLines(deployment)).toEqual([
    "Revision: 42",
    "Strategy: RollingUpdate, 25% more at once, 0 fewer",
    "Updated: 1 of 3 !busy",
    "Available: 3 of 3",
    "Paused: yes !busy",
    ...AFTER,
    "Ready for at least: 5 s",
    ...CONTAINERS,
  ]);
});

test("a StatefulSet tells its Service, its claims and from which number on it updates", () => {
  const claim = { metadata: { name: "data" }, spec: { resources: { requests: { storage: "10Gi" } } } };
  const updateStrategy = { rollingUpdate: { partition: 2 } };
  const spec = { replicas: 2, serviceName: "db", selector, template, updateStrategy, volumeClaimTemplates: [claim] };
  const set = madeObject("apps/v1 StatefulSet", { spec, status: { updateRevision: "db-7", updatedReplicas: 2, availableReplicas: 2 } });
  expect(detailLines(set)).toEqual([
    "Revision: db-7",
    "Strategy: RollingUpdate, from number 2 on",
    "Updated: 2 of 2",
    "Available: 2 of 2",
    "Service: →/Service/shop/db",
    "Claims for each pod: data, 10Gi",
    ...AFTER,
    ...CONTAINERS,
  ]);
});

test("a DaemonSet and a ReplicaSet tell theirs", () => {
  const status = { desiredNumberScheduled: 3, updatedNumberScheduled: 2, numberAvailable: 3, numberMisscheduled: 1 };
  const daemons = madeObject("apps/v1 DaemonSet", { spec: { selector, template, updateStrategy: { type: "OnDelete" } }, status });
  expect(detailLines(daemons).slice(0, 4)).toEqual([
    "Strategy: OnDelete",
    "Updated: 2 of 3 !busy",
    "Available: 3 of 3",
    "On nodes it should not be on: 1 !busy",
  ]);
  const set = madeObject("apps/v1 ReplicaSet", { spec: { replicas: 0, selector, template }, status: {} });
  expect(detailLines(set)).toEqual(["Available: 0 of 0", ...AFTER, ...CONTAINERS]);
});

test("a Job tells how often it has to succeed, and how long it took; one that failed since when", () => {
  const spec = { completions: 3, parallelism: 2, backoffLimit: 6, activeDeadlineSeconds: 60, template };
  const status = { succeeded: 1, failed: 2, startTime: "2026-01-31T11:00:00Z" };
  const conditions = [{ type: "Failed", status: "True", lastTransitionTime: "2026-01-31T11:02:05Z" }];
  const failed = madeObject("batch/v1 Job", { spec, status: { ...status, conditions } });
  expect(detailLines(failed)).toEqual([
    "At once: 2",
    "Retries: 6",
    "Deadline: 60 s",
    "Succeeded: 1 of 3",
    "Failed: 2 !bad",
    "Started: 2026-01-31T11:00:00Z",
    "Finished: 2026-01-31T11:02:05Z",
    "Took: 2 min 5 s",
    ...CONTAINERS,
  ]);
  const running = madeObject("batch/v1 Job", { spec: {}, status: { active: 1, startTime: "no time" } });
  expect(detailLines(running)).toEqual(["Succeeded: 0 of 1", "Active: 1 !busy", "Started: no time"]);
});

test("a CronJob tells when it runs, ran and will run; a suspended one will not", () => {
  const spec = { schedule: "30 * * * *", concurrencyPolicy: "Forbid", jobTemplate: { spec: { template, backoffLimit: 1 } } };
  const status = { lastScheduleTime: "2026-01-31T11:30:00Z", active: [{ name: "it-1" }] };
  const cron = madeObject("batch/v1 CronJob", { spec, status });
  expect(detailLines(cron, { nowMs: Date.parse(DETAILS_AT) })).toEqual([
    "Schedule: 30 * * * *",
    "Suspended: no",
    "Last run: 2026-01-31T11:30:00Z",
    "Next run: 2026-01-31T12:30:00.000Z",
    "Active: →batch/Job/shop/it-1",
    "When one still runs: Forbid",
    "Keeps: 3 that succeeded, 1 that failed",
    "Retries: 1",
    ...CONTAINERS,
  ]);
  const lines = detailLines({ ...cron, spec: { ...spec, suspend: true } });
  expect(lines).toContain("Suspended: yes !busy");
  expect(lines.join()).not.toContain("Next run");
});
