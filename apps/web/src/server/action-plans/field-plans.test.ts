import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { expect, test } from "vitest";

import type { ActionParameters, PlannedAction, PlannedObject, PlannedRequest } from "./action-plan.ts";
import { planImage, planLimits, planRestart, planScale, planStop, planSuspend } from "./field-plans.ts";

const AT_MS = Date.parse("2026-11-28T12:00:00Z");
const RESTARTED = "kubectl.kubernetes.io/restartedAt";

function objectOf(resource: string, content: object): PlannedObject {
  const kind: ResourceKind = {
    group: "apps",
    version: "v1",
    kind: resource,
    resource,
    namespaced: true,
    verbs: [],
    subresources: [],
    shortNames: [],
  };
  const object: KubeObject = { apiVersion: "apps/v1", kind: resource, metadata: { name: "web", namespace: "shop", uid: "1" }, ...content };
  const read = (): never => {
    throw new Error("a plan of a field reads nothing else");
  };
  return { kind, object, client: { json: read, get: read }, signal: new AbortController().signal };
}

const request = (parameters: ActionParameters): PlannedRequest => ({
  name: "scale",
  parameters,
  requestedAtMs: AT_MS,
  requestId: "",
  planned: "",
});

/** Operations of the patch, or the words of the refusal. */
function outcomeOf(plan: PlannedAction): unknown {
  if ("refused" in plan) return plan.refused.id;
  return plan.change.verb === "patch" && plan.change.type === "json" ? plan.change.operations : plan.change;
}

test.each<readonly [string, object, number, unknown]>([
  [
    "the number",
    { replicas: 3 },
    5,
    [
      { op: "test", path: "/spec/replicas", value: 3 },
      { op: "replace", path: "/spec/replicas", value: 5 },
    ],
  ],
  [
    "the whole spec where it was zero",
    { replicas: 0 },
    10_000,
    [
      { op: "test", path: "/spec", value: {} },
      { op: "replace", path: "/spec", value: { replicas: 10_000 } },
    ],
  ],
  ["nothing beyond the limit", { replicas: 1 }, 10_001, "action/replicas-invalid"],
  ["nothing below zero", { replicas: 1 }, -1, "action/replicas-invalid"],
  ["nothing for a part of a replica", { replicas: 1 }, 1.5, "action/replicas-invalid"],
])("scaling tests %s before it writes", (...[, spec, replicas, expected]) => {
  expect(outcomeOf(planScale(objectOf("deployments", { spec }), request({ replicas })))).toEqual(expected);
});

test("an image is set only in the container that was shown with the image that was shown", () => {
  const containers = [
    { name: "side", image: "side:1" },
    { name: "web", image: "web:1" },
  ];
  const of = objectOf("deployments", { spec: { template: { spec: { containers } } } });
  const path = "/spec/template/spec/containers/1";
  expect(outcomeOf(planImage(of, request({ container: "web", image: "web:2" })))).toEqual([
    { op: "test", path: `${path}/name`, value: "web" },
    { op: "test", path: `${path}/image`, value: "web:1" },
    { op: "replace", path: `${path}/image`, value: "web:2" },
  ]);
  expect(outcomeOf(planImage(of, request({ container: "other", image: "web:2" })))).toBe("action/no-container");
  for (const image of ["", "web:2 --privileged", "-web", "a".repeat(513)])
    expect(outcomeOf(planImage(of, request({ container: "web", image })))).toBe("action/image-invalid");
});

test("a restart tests the annotations, or the metadata without them, and is refused while it would do nothing", () => {
  const at = new Date(AT_MS).toISOString();
  const restart = (spec: object): unknown => outcomeOf(planRestart(objectOf("deployments", { spec }), request({})));
  const path = "/spec/template/metadata";
  expect(restart({ template: { metadata: { labels: { app: "web" } } } })).toEqual([
    { op: "test", path, value: { labels: { app: "web" } } },
    { op: "add", path: `${path}/annotations`, value: { [RESTARTED]: at } },
  ]);
  expect(restart({ template: { metadata: { annotations: { team: "shop" } } } })).toEqual([
    { op: "test", path: `${path}/annotations`, value: { team: "shop" } },
    { op: "add", path: `${path}/annotations/${RESTARTED.replace("/", "~1")}`, value: at },
  ]);
  expect(restart({ paused: true })).toBe("action/restart-paused");
  // The same request once more is one that is done.
  expect(restart({ paused: true, template: { metadata: { annotations: { [RESTARTED]: at } } } })).not.toBe("action/restart-paused");
});

test("limits of an autoscaler test both values that there are", () => {
  const limits = (spec: object, minReplicas: number, maxReplicas: number): unknown =>
    outcomeOf(planLimits(objectOf("horizontalpodautoscalers", { spec }), request({ minReplicas, maxReplicas })));
  const written = [
    { op: "add", path: "/spec/minReplicas", value: 2 },
    { op: "replace", path: "/spec/maxReplicas", value: 6 },
  ];
  const maximum = { op: "test", path: "/spec/maxReplicas", value: 4 };
  expect(limits({ minReplicas: 1, maxReplicas: 4 }, 2, 6)).toEqual([
    { op: "test", path: "/spec/minReplicas", value: 1 },
    maximum,
    ...written,
  ]);
  expect(limits({ maxReplicas: 4 }, 2, 6)).toEqual([maximum, ...written]);
  expect(limits({ maxReplicas: 4 }, 5, 4)).toBe("action/limits-invalid");
  expect(limits({ maxReplicas: 4 }, 0, 4)).toBe("action/limits-invalid");
});

test("a Job that has ended is not stopped, and one with pods is stopped, not suspended", () => {
  const job = (status: object, spec: object = {}): PlannedObject => objectOf("jobs", { spec, status });
  const suspended = [{ op: "add", path: "/spec/suspend", value: true }];
  expect(outcomeOf(planStop(job({ active: 2 })))).toEqual(suspended);
  expect(outcomeOf(planSuspend(job({}), true))).toEqual(suspended);
  expect(outcomeOf(planSuspend(job({ active: 2 }), true))).toBe("action/job-has-pods");
  expect(outcomeOf(planSuspend(job({ active: 2 }, { suspend: true }), true))).toEqual(suspended);
  for (const type of ["Complete", "Failed"]) {
    const ended = job({ conditions: [{ type, status: "True" }] });
    expect([outcomeOf(planStop(ended)), outcomeOf(planSuspend(ended, true))]).toEqual(["action/job-finished", "action/job-finished"]);
  }
});
