import type { EventTarget } from "@binnacle/graph";
import { encodeKey, type ObjectKey } from "@binnacle/kube";
import { expect, test } from "vitest";

import { workloadOf } from "./scope-events.ts";

const key = (kind: string, name: string, group = ""): ObjectKey => ({ group, kind, namespace: "app", name });
const WEB = key("Deployment", "web", "apps");
/** What is shown, with what is at the top of it. */
const TOPS: Readonly<Record<string, ObjectKey>> = {
  "apps/Deployment/app/web": WEB,
  "apps/ReplicaSet/app/web-7c9f8d6b5": WEB,
  "/Pod/app/web-7c9f8d6b5-x2lq4": WEB,
  "apps/StatefulSet/app/db": key("StatefulSet", "db", "apps"),
  "apps/DaemonSet/app/node-agent": key("DaemonSet", "node-agent", "apps"),
  "batch/CronJob/app/nightly": key("CronJob", "nightly", "batch"),
};
const objects = {
  shownTopOf: ({ key: named, uid }: EventTarget): ObjectKey | undefined =>
    uid === "" || uid === "there" ? TOPS[encodeKey(named)] : undefined,
};
const workload = (named: ObjectKey, uid = "gone"): string => workloadOf({ key: named, uid }, objects)?.name ?? "";

test("what is there belongs to the topmost of its owners", () => {
  expect(workload(key("Pod", "web-7c9f8d6b5-x2lq4"), "there")).toBe("web");
  expect(workload(WEB, "there")).toBe("web");
});

test("what has come back under its name belongs to what is there now", () => {
  expect(workload(key("Pod", "web-7c9f8d6b5-x2lq4"))).toBe("web");
});

test.each([
  ["a pod of a ReplicaSet that is there", key("Pod", "web-7c9f8d6b5-9hvdk"), "web"],
  ["a pod whose ReplicaSet has gone too", key("Pod", "web-5b6d4f7c8-9hvdk"), "web"],
  ["a ReplicaSet", key("ReplicaSet", "web-5b6d4f7c8", "apps"), "web"],
  ["a pod of a StatefulSet", key("Pod", "db-3"), "db"],
  ["a pod of a DaemonSet", key("Pod", "node-agent-m4t7z"), "node-agent"],
  ["a Job of a CronJob", key("Job", "nightly-29001880", "batch"), "nightly"],
  ["a pod of such a Job", key("Pod", "nightly-29001880-x2lq4"), "nightly"],
])("%s that has gone belongs to what would have called it so", (_, named, expected) => {
  expect(workload(named)).toBe(expected);
});

test.each([
  key("Pod", "web-7c9f8d6b5-hello"),
  key("Pod", "web-about-9hvdk"),
  key("Pod", "other-7c9f8d6b5-9hvdk"),
  key("ConfigMap", "web-7c9f8d6b5"),
  { ...key("Pod", "web-7c9f8d6b5-9hvdk"), namespace: "elsewhere" },
])("%j belongs to nothing that is shown", (named) => {
  expect(workload(named)).toBe("");
});
