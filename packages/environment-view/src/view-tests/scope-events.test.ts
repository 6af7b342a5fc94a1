import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { PublishedTable } from "@binnacle/replica";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import type { EnvironmentScope } from "../engine/environment-scope.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { object, owned } from "../testing/made-objects.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { madeEvent } from "../events/made-event.ts";
import { eventsStateOf, readEvents } from "../events/read-events.ts";
import { MAX_EVENTS, type EventsTable } from "../events/scope-events.ts";

const KINDS = ["/v1/pods/Pod", "/v1/events/Event", "apps/v1/replicasets/ReplicaSet", "apps/v1/deployments/Deployment"].map(kindOf);

let clock: ManualClock;
let cluster: FakeCluster;
let view: ClusterView;
let stop: AbortController;
let ended: Promise<void>;
const opened: EventsTable[] = [];

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:10:00Z"));
  cluster = new FakeCluster(KINDS);
  stop = new AbortController();
  view = new ClusterView({ client: cluster, clock, random: () => 0 });
  ended = view.run(stop.signal);
});

afterEach(async () => {
  for (const table of opened.splice(0)) table.close();
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
});

function follow(scope: EnvironmentScope): EventsTable {
  const table = scope.openEvents();
  opened.push(table);
  return table;
}

async function eventsOf(scope: ViewScope = { namespaces: ["app"] }): Promise<EventsTable> {
  const table = follow(view.openScope(scope));
  await clock.elapse(1_500);
  return table;
}

/** "reason kind/name of workload, count×" of each, newest first. */
function titles({ table }: Pick<EventsTable, "table">): string[] {
  const events = readEvents({ reset: true, entries: table.entries(), removed: [] }).events.toSorted(
    (a, b) => Number(b.event?.lastAt?.seconds ?? 0n) - Number(a.event?.lastAt?.seconds ?? 0n),
  );
  return events.map(
    ({ event, workload }) =>
      `${event?.reason} ${event?.regarding?.kind}/${event?.regarding?.name} of ${workload?.kind}/${workload?.name} ${event?.count}×`,
  );
}

/** A Deployment with one pod, in labels of the pod's workload. */
function deploy(name: string, uid: string): void {
  const labels = { app: name };
  const deployment = { ...object("apps/v1", "Deployment", name), metadata: { name, namespace: "app", uid: `d-${uid}`, labels } };
  const replicaSet = owned(deployment, object("apps/v1", "ReplicaSet", `${name}-1`));
  cluster.put("apps/deployments", deployment);
  cluster.put("apps/replicasets", replicaSet);
  cluster.put("/pods", { ...owned(replicaSet, object("v1", "Pod", `${name}-1-x`)), metadata: podMeta(name, uid, replicaSet) });
}

function podMeta(name: string, uid: string, replicaSet: KubeObject): KubeObject["metadata"] {
  return { ...owned(replicaSet, object("v1", "Pod", `${name}-1-x`)).metadata, uid };
}

test("Events stand with the workload that they belong to, repeated ones as one, newest first, and as they are now", async () => {
  deploy("web", "p");
  const events = await eventsOf();
  cluster.put("/events", madeEvent("a", { count: 2, lastTimestamp: "2026-01-01T00:01:00Z" }));
  cluster.put("/events", madeEvent("b", { count: 3, lastTimestamp: "2026-01-01T00:02:00Z" }));
  cluster.put(
    "/events",
    madeEvent(
      "c",
      { reason: "ScalingReplicaSet", lastTimestamp: "2026-01-01T00:05:00Z" },
      { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "d-p" },
    ),
  );
  await clock.elapse(2_500);
  expect(titles(events)).toEqual(["ScalingReplicaSet Deployment/web of Deployment/web 1×", "Failed Pod/web-1-x of Deployment/web 5×"]);
  cluster.put("/events", madeEvent("a", { count: 9, lastTimestamp: "2026-01-01T00:06:00Z" }));
  await clock.elapse(2_500);
  expect(titles(events)[0]).toBe("Failed Pod/web-1-x of Deployment/web 12×");
});

test("an Event that the API server forgets leaves, and one of an object that has gone stays until then", async () => {
  deploy("web", "p");
  cluster.put("/events", madeEvent("a", {}, { uid: "long-gone", name: "web-5b6d4f7c8-9hvdk" }));
  const events = await eventsOf();
  expect(titles(events)).toEqual(["Failed Pod/web-5b6d4f7c8-9hvdk of Deployment/web 1×"]);
  cluster.delete("/events", "a");
  await clock.elapse(2_500);
  expect(titles(events)).toEqual([]);
});

test("only what has changed is sent, and a reader that resumes receives what it has missed", async () => {
  cluster.put("/events", madeEvent("a"));
  cluster.put("/events", madeEvent("b", { reason: "BackOff" }));
  const events = await eventsOf();
  const reader = events.table.open(() => {});
  expect(readEvents(reader.take() ?? NOTHING).events).toHaveLength(2);
  const { version } = reader;
  reader.close();
  cluster.put("/events", madeEvent("c", { reason: "Killing" }));
  await clock.elapse(2_500);
  const again = events.table.open(() => {}, version);
  const missed = readEvents(again.take() ?? NOTHING);
  expect([missed.reset, missed.events.map(({ event }) => event?.reason)]).toEqual([false, ["Killing"]]);
  again.close();
});

test("of thousands the newest five hundred and the total are sent", async () => {
  for (let index = 0; index < 700; index += 1)
    cluster.put(
      "/events",
      madeEvent(`e${index}`, {
        message: `number ${index}`,
        lastTimestamp: new Date(Date.parse("2026-01-01T00:00:00Z") + index * 100).toISOString(),
      }),
    );
  const events = await eventsOf();
  const { events: all } = readEvents({ reset: true, entries: events.table.entries(), removed: [] });
  expect(all).toHaveLength(MAX_EVENTS);
  expect(all.map(({ event }) => Number(event?.message.split(" ")[1])).toSorted((a, b) => a - b)[0]).toBe(200);
  expect(eventsStateOf(events.table).total).toBe(700);
});

test("T37: a scope of labels tells of its own objects alone, also of those that have gone", async () => {
  deploy("web", "p");
  deploy("api", "q");
  cluster.put("/events", madeEvent("own"));
  cluster.put("/events", madeEvent("own-gone", { reason: "Killing" }, { uid: "gone", name: "web-5b6d4f7c8-9hvdk" }));
  cluster.put("/events", madeEvent("other", { message: "canary" }, { uid: "q", name: "api-1-x" }));
  cluster.put("/events", madeEvent("other-gone", { message: "canary" }, { uid: "gone-too", name: "api-5b6d4f7c8-9hvdk" }));
  const labels = { requirements: [{ key: "app", operator: "In" as const, values: ["web"] }] };
  const events = await eventsOf({ namespaces: ["app"], labels });
  expect(titles(events).toSorted()).toEqual([
    "Failed Pod/web-1-x of Deployment/web 1×",
    "Killing Pod/web-5b6d4f7c8-9hvdk of Deployment/web 1×",
  ]);
  expect(Buffer.concat(events.table.entries().map(({ value }) => value)).includes("canary")).toBe(false);
});

test("a kind that a team hides has no events either", async () => {
  deploy("web", "p");
  cluster.put("/events", madeEvent("a"));
  const rules = { id: "r", edges: [], health: [], hidden: ["Pod"], ignored: [] };
  expect(titles(await eventsOf({ namespaces: ["app"], rules }))).toEqual([]);
});

test("T37: a viewer that may not list Events has none and receives the reason; a right that comes brings them, one that is withdrawn takes them", async () => {
  cluster.put("/events", madeEvent("a", { message: "canary" }));
  cluster.forbidden.add("/events");
  const events = await eventsOf();
  expect(titles(events)).toEqual([]);
  expect(eventsStateOf(events.table)).toMatchObject({ isComplete: true, sources: [{ settled: "forbidden" }] });
  cluster.forbidden.delete("/events");
  await clock.elapse(120_000);
  expect(titles(events)).toHaveLength(1);
  expect(eventsStateOf(events.table).sources).toMatchObject([{ settled: "live" }]);
  cluster.forbidden.add("/events");
  cluster.disconnect();
  await clock.elapse(120_000);
  expect(titles(events)).toEqual([]);
  expect(Buffer.concat(events.table.entries().map(({ value }) => value)).includes("canary")).toBe(false);
});

test("one namespace of several that may not be read is named, and the others are shown", async () => {
  cluster.put("/events", madeEvent("a"));
  cluster.forbidden.add("/events@other");
  cluster.forbidden.add("/events@");
  const events = await eventsOf({ namespaces: ["app", "other"] });
  expect(titles(events)).toHaveLength(1);
  const { sources } = eventsStateOf(events.table);
  expect(sources.map(({ namespace, settled }) => `${namespace} ${settled}`).toSorted()).toEqual(["app live", "other forbidden"]);
});

test("a broken connection is reported, and removes nothing", async () => {
  cluster.put("/events", madeEvent("a"));
  const events = await eventsOf();
  cluster.outage = new KubeClientError("connection", "away");
  cluster.disconnect();
  await clock.elapse(20_000);
  expect(titles(events)).toHaveLength(1);
  expect(eventsStateOf(events.table).connection?.state).not.toBe("connected");
});

test("the table is not updated without a subscriber, and a new subscriber receives the current content", async () => {
  const scope = view.openScope({ namespaces: ["app"] });
  await clock.elapse(1_000);
  const first = scope.openEvents();
  first.close();
  cluster.put("/events", madeEvent("a"));
  await clock.elapse(5_000);
  expect(titles(first)).toEqual([]);
  const again = follow(scope);
  expect([again.id, titles(again).length]).toEqual([first.id, 1]);
});

const NOTHING = { reset: false, entries: [], removed: [] };

test("a table that another has made is read as it was written", async () => {
  deploy("web", "p");
  cluster.put("/events", madeEvent("a"));
  const events = await eventsOf();
  const copy = new PublishedTable();
  copy.apply({ reset: true, entries: events.table.entries(), removed: [] });
  expect(titles({ table: copy })).toEqual(titles(events));
  expect(eventsStateOf(copy)).toEqual(eventsStateOf(events.table));
});
