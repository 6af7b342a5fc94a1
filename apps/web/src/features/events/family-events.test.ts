import { WatchEnvironmentResponseSchema, type ResourceEvent } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { EnvironmentStore } from "../live/environment-store.ts";
import type { LiveNode } from "../live/live-node.ts";
import { MadeView } from "../live/made-view.ts";
import { madeEvent } from "./made-events.ts";
import { familyEvents, mergedEvents } from "./family-events.ts";

const ref = (kind: string, name: string, group = "") => ({ group, kind, namespace: "env", name });
const DEPLOYMENT = ref("Deployment", "web", "apps");

function storeOf(): EnvironmentStore {
  const view = new MadeView();
  const nodes = view.nodes([
    { id: "d", ref: DEPLOYMENT },
    { id: "r", ref: ref("ReplicaSet", "web-1", "apps"), ownerId: "d" },
    { id: "p", ref: ref("Pod", "web-1-x"), ownerId: "r" },
    { id: "q", ref: ref("Pod", "api-1-y") },
  ]);
  const store = new EnvironmentStore((flush) => flush());
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value: { nodes, complete: true } } }), 1);
  return store;
}

const EVENTS = [
  madeEvent("child", 1, { about: "web-1-x" }),
  madeEvent("gone", 2, { about: "web-1-gone" }),
  madeEvent("other", 3, { about: "api-1-y", workload: "api" }),
];
const messages = (events: readonly ResourceEvent[]) => events.map(({ message }) => message.replace("message of ", "")).toSorted();

test("US8: a workload has the events of all that it owns, also of what has gone, and of nothing else", () => {
  const store = storeOf();
  expect(messages(familyEvents(store, store.nodeOf(refOf(DEPLOYMENT)) as LiveNode, EVENTS))).toEqual(["child", "gone"]);
  expect(messages(familyEvents(store, store.nodeOf(refOf(ref("ReplicaSet", "web-1", "apps"))) as LiveNode, EVENTS))).toEqual(["child"]);
  expect(messages(familyEvents(store, store.nodeOf(refOf(ref("Pod", "web-1-x"))) as LiveNode, EVENTS))).toEqual(["child"]);
});

test("what both ways tell stands once, as it was heard of last", () => {
  const [one, two] = [madeEvent("a", 5, { count: 2 }).event, madeEvent("a", 9, { count: 3 }).event] as [ResourceEvent, ResourceEvent];
  const other = madeEvent("b", 1).event as ResourceEvent;
  const counts = (queried: readonly ResourceEvent[], live: readonly ResourceEvent[]) =>
    mergedEvents(queried, live).map(({ count }) => count);
  expect(counts([one], [two])).toEqual([3]);
  expect(counts([two], [one])).toEqual([3]);
  expect(counts([one, other], [])).toEqual([2, 1]);
  expect(counts([], [one, other])).toEqual([2, 1]);
  // Of two of the same name that followed each other both are counted.
  expect(counts([], [one, two])).toEqual([2, 3]);
});

function refOf(named: ReturnType<typeof ref>): Parameters<EnvironmentStore["nodeOf"]>[0] {
  return { $typeName: "dashboard.v1.ResourceRef", version: "", resource: "", ...named };
}
