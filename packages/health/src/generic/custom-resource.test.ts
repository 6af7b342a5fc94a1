import { describe, expect, test } from "vitest";

import { renderEnglish } from "@binnacle/words/render-english";

import { health } from "../health.ts";

const NOW = "2026-01-01T12:00:00Z";

function widget(status: unknown, spec: object = {}, generation = 1) {
  return { apiVersion: "x.io/v1", kind: "Widget", metadata: { name: "w", generation }, spec, status };
}

function ready(status: string, reason = "", ...others: object[]) {
  return widget({ conditions: [{ type: "Ready", status, reason }, ...others] });
}

function statusOf(resource: ReturnType<typeof widget>) {
  return health(resource, { now: NOW })?.status ?? null;
}

describe("Ready=False", () => {
  test.each([
    "Creating",
    "ProvisioningDatabase",
    "Pending",
    "WaitingForCertificate",
    "NotReadyYet",
    "DeployInProgress",
    "Unknown",
    "DependencyNotReady",
  ])("with reason %s takes time", (reason) => expect(statusOf(ready("False", reason))).toBe("Progressing"));

  test.each(["ReconcileError", "InvalidSpec", "ProvisioningFailed", "SecretMissing", "NotFound", "Denied", "UpgradeFailing"])(
    "with reason %s is a fault",
    (reason) => expect(statusOf(ready("False", reason))).toBe("Degraded"),
  );

  test("without a reason is as its message and its phase say", () => {
    const silent = { type: "Ready", status: "False" };
    expect(statusOf(widget({ conditions: [{ ...silent, message: "waiting for the volume" }] }))).toBe("Progressing");
    expect(statusOf(widget({ conditions: [{ ...silent, message: "login failed" }] }))).toBe("Degraded");
    expect(statusOf(widget({ phase: "Provisioning", conditions: [silent] }))).toBe("Progressing");
    expect(statusOf(widget({ conditions: [silent] }))).toBe("Progressing");
  });
});

test("Ready=True is contradicted by Degraded and Failed, and held up by Updating and Issuing", () => {
  expect(statusOf(ready("True", "", { type: "Degraded", status: "True" }))).toBe("Degraded");
  expect(statusOf(ready("True", "", { type: "Issuing", status: "True" }))).toBe("Progressing");
  expect(statusOf(ready("True", "", { type: "Degraded", status: "False" }, { type: "Updating", status: "False" }))).toBe("Healthy");
});

describe("without Ready", () => {
  const conditions = (...list: [type: string, status: string, reason?: string][]) =>
    widget({ conditions: list.map(([type, status, reason]) => ({ type, status, reason })) });

  test("types that mean well and types that mean ill decide, the worst first", () => {
    expect(statusOf(conditions(["Available", "True"], ["Synced", "True"]))).toBe("Healthy");
    expect(statusOf(conditions(["Available", "True"], ["ACK.ResourceSynced", "False", "Error"]))).toBe("Degraded");
    expect(statusOf(conditions(["Available", "True"], ["BackupFailed", "True"]))).toBe("Degraded");
    expect(statusOf(conditions(["Available", "True"], ["BackupFailed", "False"]))).toBe("Healthy");
    expect(statusOf(conditions(["Accepted", "Unknown"], ["Available", "True"]))).toBe("Progressing");
    expect(statusOf(conditions(["Complete", "False"]))).toBe("Progressing");
  });

  test("unknown types are never Healthy", () => {
    expect(statusOf(conditions(["Sunny", "True"]))).toBe("Progressing");
    expect(statusOf(widget({ observedGeneration: 1, conditions: [{ type: "Sunny", status: "True" }] }))).toBe("Progressing");
  });

  test("conditions of parents and ancestors count as the object's own", () => {
    const parents = [
      { conditions: [{ type: "Accepted", status: "True" }] },
      { conditions: [{ type: "Accepted", status: "False", reason: "NotAllowed" }] },
    ];
    expect(statusOf(widget({ parents }))).toBe("Degraded");
    expect(statusOf(widget({ parents: parents.slice(0, 1) }))).toBe("Healthy");
  });
});

test("paused by spec, condition or reason is Suspended; resumed is not", () => {
  expect(statusOf(widget({ phase: "Running" }, { paused: true }))).toBe("Suspended");
  expect(statusOf(ready("True", "", { type: "Paused", status: "True" }))).toBe("Suspended");
  expect(statusOf(ready("False", "ClusterHibernated"))).toBe("Suspended");
  expect(statusOf(ready("True", "", { type: "Paused", status: "False", reason: "NotPaused" }))).toBe("Healthy");
  expect(statusOf(ready("True", "Resumed"))).toBe("Healthy");
});

test("the phase decides without conditions, and counts without a phase", () => {
  expect(statusOf(widget({ phase: "Bound" }))).toBe("Healthy");
  expect(statusOf(widget({ state: "terminal-error" }))).toBe("Degraded");
  expect(statusOf(widget({ health: { status: "Paused" } }))).toBe("Suspended");
  expect(statusOf(widget({ phase: "Whatever" }))).toBe("Progressing");
  expect(statusOf(widget({ readyReplicas: 1 }, { replicas: 2 }))).toBe("Progressing");
  expect(statusOf(widget({ readyReplicas: 2 }, { replicas: 2 }))).toBe("Healthy");
});

test("a status with nothing in it is no status", () => {
  expect(statusOf(widget({ conditions: [], phase: "" }))).toBe("Progressing");
  expect(health(widget({}), { now: NOW, related: [] })).toBeNull();
});

describe("what a witness has seen is named", () => {
  const becauseOf = (status: unknown, spec: object = {}, metadata: object = {}): string => {
    const resource = widget(status, spec);
    return renderEnglish(health({ ...resource, metadata: { ...resource.metadata, ...metadata } }, { now: NOW })?.because);
  };

  test.each([
    ["a field below", { components: { db: { status: "ERROR" } } }, "status.components.db.status is ERROR"],
    ["an entry of a list", { phase: "Ready", members: [{}, { state: "Lost" }] }, "status.members[1].state is Lost"],
    ["a condition", { conditions: [{ type: "Ready", status: "False", reason: "Bad" }] }, "condition Ready is false (Bad)"],
    [
      "a condition below",
      { parents: [{ conditions: [{ type: "Accepted", status: "False", reason: "NotAllowed" }] }] },
      "condition Accepted of status.parents[0].conditions is false (NotAllowed)",
    ],
    ["two numbers", { readyReplicas: 1, desiredReplicas: 2 }, "status.readyReplicas is 1, status.desiredReplicas is 2"],
    ["a part of a whole", { ready: "1/2" }, "status.ready is 1/2"],
    ["what is lacking", { unavailableReplicas: 2 }, "status.unavailableReplicas is 2"],
    ["a boolean", { healthy: false }, "status.healthy is false"],
    ["an error", { errorMessage: "no room" }, "status.errorMessage is no room"],
  ])("%s", (_, status, because) => expect(becauseOf(status)).toBe(because));

  test("a switch, a partition and an annotation", () => {
    expect(becauseOf({ phase: "Ready" }, { rollout: { paused: true } })).toBe("spec.rollout.paused is true");
    expect(becauseOf({ updatedReplicas: 1 }, { replicas: 2, strategy: { partition: 1 } })).toBe("spec.strategy.partition is 1");
    expect(becauseOf({ phase: "Ready" }, {}, { annotations: { "x.io/paused": "true" } })).toBe("annotation x.io/paused is true");
  });

  test("nothing where no witness has a result", () => expect(becauseOf({ observedGeneration: 1 })).toBe(""));
});

test("of two that are as bad the first by name is quoted, whatever the order of the fields", () => {
  const [one, other] = [{ bState: "Failed" }, { aState: "Failed" }];
  const results = [health(widget({ ...one, ...other }), { now: NOW }), health(widget({ ...other, ...one }), { now: NOW })];
  expect(results.map((result) => renderEnglish(result?.because))).toEqual(["status.aState is Failed", "status.aState is Failed"]);
});
