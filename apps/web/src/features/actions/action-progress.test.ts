import { ActionKind, HealthStatus, WatchEnvironmentResponseSchema, type ResourceEvent } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { ENGLISH } from "@binnacle/words/en";
import { create } from "@bufbuild/protobuf";
import { beforeAll, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import { madeEvent } from "../events/made-events.ts";
import { EnvironmentStore } from "../live/environment-store.ts";
import { MadeView, madeNode, type NamedNode } from "../live/made-view.ts";
import type { Attempt } from "./action-attempt.ts";
import { actionSpan, podCounts, podsText, recentEvents } from "./action-progress.ts";

const WRITTEN_MS = 100_700;

beforeAll(() => setLanguage(ENGLISH, "en"));

const ref = (kind: string, name: string, group = "") => ({ group, kind, namespace: "env", name });

/** A Deployment of three replicas with pods of these. */
function storeOf(pods: readonly (Omit<NamedNode, "id" | "ref"> & { readonly id: string })[]): EnvironmentStore {
  const nodes = new MadeView().nodes([
    { id: "d", ref: ref("Deployment", "web", "apps"), wanted: 3 },
    { id: "r", ref: ref("ReplicaSet", "web-1", "apps"), ownerId: "d", wanted: 3 },
    ...pods.map((pod) => ({ ownerId: "r", nodeName: "node-1", ...pod, ref: ref("Pod", pod.id) })),
    { id: "foreign", ref: ref("Pod", "foreign") },
  ]);
  const store = new EnvironmentStore((flush) => flush());
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: { nodes, complete: true } } }), 1);
  return store;
}

const health = { status: HealthStatus.HEALTHY };
const old = { health, createdAt: toTimestamp(50_000) };
const fresh = { health, createdAt: toTimestamp(101_000) };

function textOf(kind: ActionKind, pods: Parameters<typeof storeOf>[0]): string {
  const store = storeOf(pods);
  const counts = podCounts(store, { id: "apps/Deployment/env/web", wanted: 3 }, { sinceMs: 100_000 });
  return counts === undefined ? "" : podsText(kind, counts, 3);
}

test("a rollout says how many pods are replaced, and which come and go", () => {
  const pods = [
    { id: "a", ...fresh },
    { id: "b", ...fresh, createdAt: toTimestamp(100_000) },
    { id: "c", ...fresh, health: { status: HealthStatus.PROGRESSING }, nodeName: "" },
    { id: "d1", ...old, deletingSince: toTimestamp(102_000) },
  ];
  expect(textOf(ActionKind.RESTART, pods)).toBe("2 of 3 pods replaced, 1 starting, 1 ending");
  expect(textOf(ActionKind.SCALE, pods)).toBe("Pods: 2 ready, 1 starting, 1 ending");
});

test("the progress leaves out pods that stay, pods of others and pods that have ended", () => {
  const pods = [
    { id: "a", ...old },
    { id: "b", ...fresh, nodeName: "" },
    { id: "c", ...fresh, health: { status: HealthStatus.DEGRADED }, nodeName: "" },
  ];
  expect(textOf(ActionKind.RESTART, pods)).toBe("");
  expect(textOf(ActionKind.SCALE, [{ id: "a", ...old }])).toBe("");
  expect(
    podCounts(storeOf(pods), { id: "apps/Deployment/env/web", wanted: -1 }, { sinceMs: 0 }),
    "a kind without replicas",
  ).toBeUndefined();
});

const names = (events: readonly ResourceEvent[]) => events.map(({ message }) => message.replace("message of ", ""));

test("at most three Events since the action are shown: warnings first, then the newest", () => {
  const events = [
    madeEvent("before", 99),
    madeEvent("first", 100),
    madeEvent("second", 101),
    madeEvent("warning", 102, { type: "Warning" }),
    madeEvent("third", 103),
    madeEvent("after", 120, { type: "Warning" }),
  ].flatMap(({ event }) => (event === undefined ? [] : [event]));
  expect(names(recentEvents(events, { sinceMs: 100_000 }))).toEqual(["after", "warning", "third"]);
  expect(names(recentEvents(events, { sinceMs: 100_000, untilMs: 110_000 }))).toEqual(["warning", "third", "second"]);
  expect(names(recentEvents(events, { sinceMs: 99_500, untilMs: 101_000 }))).toEqual(["second", "first"]);
});

test("the span begins when the cluster has written the specification, by its clock, else when the answer came", () => {
  const action = {
    intent: { kind: ActionKind.RESTART },
    request: { requestId: "first" },
    field: { path: "a", before: "1", after: "2" },
    mark: { revision: 1, images: [], changedMs: 50_000 },
  };
  const written: Attempt = { action, state: { kind: "written", atMs: WRITTEN_MS }, follow: { kind: "progressing" } };
  const nodeAt = (ms: number) => madeNode({ id: "d", changedAt: toTimestamp(ms) });
  expect(actionSpan(written, undefined)).toEqual({ sinceMs: 100_000 });
  expect(actionSpan(written, nodeAt(50_000))).toEqual({ sinceMs: 100_000 });
  expect(actionSpan(written, nodeAt(97_000)), "the cluster's clock is behind").toEqual({ sinceMs: 97_000 });
  expect(actionSpan({ ...written, follow: { kind: "settled", endedMs: 110_000 } }, undefined)).toEqual({
    sinceMs: 100_000,
    untilMs: 110_000,
  });
  expect(actionSpan({ ...written, follow: { kind: "settled" } }, undefined), "it is done at once").toBeUndefined();
  expect(actionSpan({ ...written, state: { kind: "sending" } }, undefined)).toBeUndefined();
});
