import { KubeClientError, type ActionOutcome, type KubeAction } from "@binnacle/environment-view";
import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { words } from "@binnacle/words";
import { beforeEach, describe, expect, test } from "vitest";

import type { ConnectedEnvironment } from "../environment/connected-environment.ts";
import { rememberAct } from "./viewer-act.ts";
import { ViewerActs } from "./viewer-acts.ts";

const ENVIRONMENT: ConnectedEnvironment = {
  projectPath: "group/app",
  number: "1",
  name: "prod",
  slug: "prod",
  tier: "production",
  state: "available",
  externalUrl: "",
  namespace: "prod",
  agent: { id: 3n, name: "agent", projectPath: "group/app", connectedAt: undefined, lastSeenAt: undefined },
};
const DEPLOYMENTS = { group: "apps", version: "v1", resource: "deployments", namespaced: true };
const TARGET = { kind: DEPLOYMENTS, namespace: "prod", name: "web", uid: "u1" };
const PATCH: KubeAction = { target: TARGET, change: { verb: "patch", type: "merge", content: {} } };
const DELETE: KubeAction = { target: TARGET, change: { verb: "delete" } };
const CREATE: KubeAction = { target: { ...TARGET, name: "" }, change: { verb: "create", content: {} } };
const EVICTION: KubeAction = {
  target: { kind: DEPLOYMENTS, namespace: "prod", name: "web", subresource: "eviction" },
  change: { verb: "create", content: {} },
};
const STATUS = { kind: "Status", status: "Success" };

let acts: ViewerActs;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
  acts = new ViewerActs(clock, () => undefined);
});

const done = (answer: { readonly kind: string; readonly metadata?: object }): ActionOutcome => ({
  kind: "done",
  stage: "answered",
  code: 200,
  answer: { apiVersion: "v1", ...answer },
  warnings: [],
});
const written = (version: string, uid = "u1"): ActionOutcome => done({ kind: "Deployment", metadata: { uid, resourceVersion: version } });
const failed = (kind: "refused" | "unknown"): ActionOutcome => {
  const error = new KubeClientError("connection", words("answer/not-of-api"));
  return kind === "refused" ? { kind, stage: "not_started", error } : { kind, stage: "started", error };
};

/** What is remembered of an action: uid, version and whether it was a removal. */
function remembered(action: KubeAction, outcome: ActionOutcome, metadata: Partial<KubeObject["metadata"]> = {}): string[] {
  const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", uid: "u1", resourceVersion: "4", ...metadata } };
  const viewer = { username: "ada", name: `Ada${"a".repeat(200)}` };
  rememberAct({ acts, clock }, { viewer, environment: ENVIRONMENT, action, name: "scale", outcome, object, begunMs: clock.now() });
  return acts.of(ENVIRONMENT).map(({ uid, version, isRemoval }) => `${uid} ${version}${isRemoval ? " removal" : ""}`);
}

test("an act is remembered with the version that the answer names, and a bounded name", () => {
  expect(remembered(PATCH, written("5"))).toEqual(["u1 5"]);
  expect(acts.of(ENVIRONMENT)).toMatchObject([{ action: "scale", username: "ada", name: `Ada${"a".repeat(97)}` }]);
});

describe("remembered are", () => {
  test.each<readonly [string, KubeAction, ActionOutcome, string]>([
    ["what may have been done, without a version", PATCH, failed("unknown"), "u1 "],
    ["a creation, as that of the new object", CREATE, written("4", "u2"), "u2 4"],
    ["a deletion", DELETE, done(STATUS), "u1  removal"],
    ["a deletion that waits for finalizers", DELETE, written("5"), "u1 5 removal"],
    ["an eviction, as that of the pod", EVICTION, done(STATUS), "u1  removal"],
  ])("%s", (...[, action, outcome, act]) => {
    expect(remembered(action, outcome)).toEqual([act]);
  });
});

describe("not remembered are", () => {
  test.each<readonly [string, KubeAction, ActionOutcome, object]>([
    ["a dry run", { ...PATCH, dryRun: true }, written("5"), {}],
    ["what was refused", PATCH, failed("refused"), {}],
    ["what has changed nothing", PATCH, written("4"), {}],
    ["a creation without an answer", CREATE, failed("unknown"), {}],
    ["a removal without an answer", DELETE, failed("unknown"), {}],
    ["the removal of what was being deleted already", DELETE, written("5"), { deletionTimestamp: "2026-01-01T00:00:00Z" }],
  ])("%s", (...[, action, outcome, metadata]) => {
    expect(remembered(action, outcome, metadata)).toEqual([]);
  });
});
