import { create } from "@bufbuild/protobuf";
import {
  ByteBudget,
  eventsStateOf,
  Informers,
  KubeClientError,
  readEvents,
  VIEW_ENGINE,
  type KubeClient,
} from "@binnacle/environment-view";
import { createStatus, type KubeObject, type ResourceKind, type WatchEvent } from "@binnacle/kube";
import { ViewSpecSchema } from "@binnacle/proto/kas-views";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { AgentEvents } from "../agent-events/agent-events.ts";
import { readViewRequest } from "./view-request.ts";
import type { AccessReviews } from "./rights/access-reviews.ts";
import { rightsOf, type ProvedKind } from "./rights/proved-rights.ts";
import { RightsBook } from "./rights/rights-book.ts";
import { RightsViews } from "./rights-views.ts";
import { RulesInForce } from "./rules/rules-in-force.ts";
import { Topics, type TopicPlace } from "./topics.ts";

const CANARY = "canary-of-the-forbidden";
const kind = (resource: string, name: string): ResourceKind => {
  const verbs = ["get", "list", "watch"];
  return { group: "", version: "v1", resource, kind: name, namespaced: true, verbs, subresources: [], shortNames: [] };
};
const KINDS = [kind("pods", "Pod"), kind("events", "Event")];
const POD: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "app", uid: "p", resourceVersion: "1" } };
const EVENT: KubeObject = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e", namespace: "app", resourceVersion: "2" },
  type: "Warning",
  reason: "Failed",
  message: CANARY,
  involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "app", name: "web", uid: "p" },
};

/** The cluster as the agent sees it: it may read everything. */
class AgentsCluster implements KubeClient {
  readonly streams: string[] = [];

  discover(): ReturnType<KubeClient["discover"]> {
    return Promise.resolve({ etag: "1", kinds: KINDS });
  }

  list({ kind: { resource } }: Parameters<KubeClient["list"]>[0]): ReturnType<KubeClient["list"]> {
    const items = resource === "pods" ? [POD] : [EVENT];
    return Promise.resolve({ items, resourceVersion: "2", continueToken: "", remaining: 0 });
  }

  get(): ReturnType<KubeClient["get"]> {
    return Promise.reject(new KubeClientError("api", "no", { status: createStatus(404, "no") }));
  }

  async *watch(_request: unknown, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    yield* [];
  }

  async *stream({ kind: { resource } }: Parameters<NonNullable<KubeClient["stream"]>>[0], signal: AbortSignal): AsyncGenerator<WatchEvent> {
    this.streams.push(resource);
    yield { type: "ADDED", object: resource === "pods" ? POD : EVENT };
    yield { type: "BOOKMARK", resourceVersion: "2", initialEventsEnd: true };
    yield* this.watch(undefined, signal);
  }
}

let clock: ManualClock;
let cluster: AgentsCluster;
let stop: AbortController;
let topics: Topics;
let views: RightsViews;
let running: Promise<unknown>;

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:10:00Z"));
  cluster = new AgentsCluster();
  stop = new AbortController();
  const log = createLogger("agentk", "silent");
  const informers = new Informers({ client: cluster, clock, budget: new ByteBudget(2 ** 24), log });
  views = new RightsViews({ informers, rules: new RulesInForce(clock), clock, log });
  const agentEvents = new AgentEvents(clock);
  agentEvents.record({ what: "connected" });
  topics = new Topics({ informers, book: new RightsBook({ clock, signal: stop.signal }), views, clock, agentEvents });
  running = informers.run(stop.signal);
});
afterEach(async () => {
  topics.close();
  const closed = views.close();
  await clock.elapse(0);
  await closed;
  stop.abort();
  await clock.elapse(0);
  await running;
});

const NO_RULES = { of: () => Promise.reject(new Error("no rules are named")) };

/** Subscribes to the events of the namespace as a viewer who may list these kinds. */
async function follow(...resources: readonly string[]): Promise<TopicPlace> {
  const proved = KINDS.filter(({ resource }) => resources.includes(resource)).map((each): ProvedKind => ({
    kind: each,
    namespace: "app",
    list: true,
    get: true,
  }));
  const environment = { engine: VIEW_ENGINE, scope: { namespaces: ["app"] } };
  const request = await readViewRequest(create(ViewSpecSchema, { view: { case: "events", value: { environment } } }), NO_RULES);
  // The rights of a viewer who joins were proved before.
  const reviews: AccessReviews = { rules: () => Promise.reject(new Error("reviewed")), may: () => Promise.reject(new Error("reviewed")) };
  const viewer = { key: resources.join(), reviews, client: cluster };
  const place = topics.join(request, rightsOf(proved), viewer);
  await clock.elapse(3_000);
  return place;
}

const textOf = ({ table }: TopicPlace): string => Buffer.concat(table.entries().map(({ value }) => value)).toString("latin1");

test("T37: a viewer who may list Events receives them with the agent's own; one who may not receives the reason, and no byte of them", async () => {
  const [may, mayNot] = [await follow("pods", "events"), await follow("pods")];
  const received = readEvents({ reset: true, entries: may.table.entries(), removed: [] });
  expect(received.events.map(({ event, workload }) => [event?.reason, workload?.name])).toEqual([["Failed", "web"]]);
  expect(received.life.map(({ words }) => words?.id)).toEqual(["life/connected"]);
  expect(textOf(may)).toContain(CANARY);

  const untold = readEvents({ reset: true, entries: mayNot.table.entries(), removed: [] });
  expect(untold.events).toEqual([]);
  expect(untold.life).toHaveLength(1);
  expect(eventsStateOf(mayNot.table)).toMatchObject({ isComplete: true, sources: [{ namespace: "app", settled: "forbidden" }] });
  expect(textOf(mayNot)).not.toContain(CANARY);
  // One list and watch of each kind, for all viewers.
  expect(cluster.streams.toSorted()).toEqual(["events", "pods"]);
  for (const place of [may, mayNot]) place.leave();
});

test("events of an environment are requested with the engine of the environment alone", async () => {
  const environment = { engine: "another", scope: { namespaces: ["app"] } };
  const spec = create(ViewSpecSchema, { view: { case: "events", value: { environment } } });
  await expect(readViewRequest(spec, NO_RULES)).rejects.toMatchObject({ reason: "not_implemented" });
});
