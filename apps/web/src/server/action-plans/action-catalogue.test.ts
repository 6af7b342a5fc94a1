import { PAUSED } from "@binnacle/kube";
import { expect, test } from "vitest";

import type { HeldSync } from "../syncs/gitops-intent.ts";
import { actionsOf } from "./action-catalogue.ts";

const ANY = ["edit-labels", "edit", "delete"];
const CONTROLLED = { ownerReferences: [{ uid: "1", controller: true }] };
const TEMPLATE = { template: { spec: { containers: [{ name: "web", image: "web:1" }] } } };
const FINISHED = { conditions: [{ type: "Failed", status: "True" }] };
const SYNCED: HeldSync = { pruneHeld: "", sha: "ab" };

interface Case {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly sync?: HeldSync;
}

const offered = (id: string, { metadata, spec = {}, status = {}, sync }: Case, level: "all" | "safe" = "all") => {
  const [group = "", resource = ""] = id.split("/");
  const object = { apiVersion: "v1", kind: "Any", metadata: { name: "web", namespace: "shop", ...metadata }, spec, status };
  return actionsOf({ kind: { group, resource }, object, sync }, level);
};

/** State of an object: its group and resource, what is offered beside what every object has, and what the level `safe` lacks of it. */
const CASES: Readonly<Record<string, readonly [id: string, of: Case, own: readonly string[], notSafe?: readonly string[]]>> = {
  Deployment: ["apps/deployments", { spec: TEMPLATE }, ["restart", "scale", "set-image", "roll-back", "pause"]],
  "paused Deployment": [
    "apps/deployments",
    { spec: { ...TEMPLATE, paused: true } },
    ["restart", "scale", "set-image", "roll-back", "resume"],
  ],
  StatefulSet: ["apps/statefulsets", { spec: TEMPLATE }, ["restart", "scale", "set-image", "roll-back"]],
  DaemonSet: ["apps/daemonsets", { spec: TEMPLATE }, ["restart", "set-image", "roll-back"]],
  CronJob: ["batch/cronjobs", { spec: { jobTemplate: { spec: TEMPLATE } } }, ["run-now", "set-image", "suspend"]],
  "suspended CronJob": ["batch/cronjobs", { spec: { suspend: true } }, ["run-now", "unsuspend"]],
  "Job without pods": ["batch/jobs", { spec: TEMPLATE }, ["suspend"]],
  "Job with pods": ["batch/jobs", { status: { active: 1 } }, ["stop"], ["stop"]],
  "suspended Job": ["batch/jobs", { spec: { suspend: true } }, ["unsuspend"]],
  "finished Job": ["batch/jobs", { status: FINISHED }, ["run-again"]],
  HorizontalPodAutoscaler: ["autoscaling/horizontalpodautoscalers", {}, ["set-limits"]],
  "pod of a controller": ["/pods", { metadata: CONTROLLED }, ["evict"]],
  "pod of no controller": ["/pods", {}, ["evict"], ["evict"]],
  "any other object": ["/configmaps", {}, []],
  "object of another group": ["example.com/deployments", {}, []],
};

test.each(Object.entries(CASES))(
  "%s: its own actions come before those of every object, and safe has all but what loses something",
  (...each) => {
    const [, [id, of, own, notSafe = []]] = each;
    expect(offered(id, of)).toEqual([...own, ...ANY]);
    expect(offered(id, of, "safe")).toEqual([...own.filter((name) => !notSafe.includes(name)), "edit-labels"]);
  },
);

test("an object of the cluster has the actions of every object, and none of them is safe", () => {
  const of = { metadata: { namespace: "" } };
  expect(offered("/namespaces", of)).toEqual(ANY);
  expect(offered("/namespaces", of, "safe")).toEqual([]);
});

test("an object that is being deleted is neither deleted, evicted nor edited again", () => {
  const metadata = { ...CONTROLLED, deletionTimestamp: "2026-01-01T00:00:00Z" };
  expect(offered("/pods", { metadata })).toEqual([]);
});

test("an inventory has the actions of its sync alone: sync and pause, or resume, and consent to a prune that is held", () => {
  const held = { pruneHeld: "3 objects", sha: "ab" };
  const metadata = { annotations: { [PAUSED]: "true" } };
  expect(offered("/configmaps", { sync: SYNCED }, "safe")).toEqual(["sync", "pause-syncs"]);
  expect(offered("/configmaps", { sync: held }, "safe")).toEqual(["sync", "pause-syncs", "consent-prune"]);
  expect(offered("/configmaps", { sync: SYNCED, metadata }, "safe")).toEqual(["resume-syncs"]);
});
