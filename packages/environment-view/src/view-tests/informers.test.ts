import type { KubeObject, ResourceKind, WatchEvent } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { ScreenOfView } from "./screen-of-view.ts";
import { Informers } from "../informers/informers.ts";
import { ViewerClient, type ViewerRights } from "../informers/viewer-client.ts";

const KINDS = ["/v1/pods/Pod", "/v1/configmaps/ConfigMap", "apps/v1/deployments/Deployment"].map(kindOf);
const [PODS] = KINDS as [ResourceKind];
const ALL: ViewerRights = { mayList: () => true, mayGet: () => true };

let clock: ManualClock;
let cluster: FakeCluster;
let informers: Informers;
let budget: ByteBudget;
let stop: AbortController;
let ended: Promise<unknown>[];

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster(KINDS, { streams: true });
  budget = new ByteBudget(2 ** 20);
  informers = new Informers({ client: cluster, clock, budget, random: () => 0.5 });
  stop = new AbortController();
  ended = [informers.run(stop.signal)];
});
afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await Promise.all(ended);
  clock.assertIdle();
  cluster.assertIdle();
  if (budget.usedBytes !== 0) throw new Error(`${budget.usedBytes} bytes were never given back`);
});

function pod(name: string, namespace = "app", image = "app:1"): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: { containers: [{ name: "c", image }] },
    status: { phase: "Running" },
  };
}

function clientOf(rights: ViewerRights = ALL, viewer = new FakeCluster([])): ViewerClient {
  return new ViewerClient({ informers, rights, viewer });
}

/** Opens a view of a namespace, and what a browser has of it. */
function open(client: ViewerClient, namespace = "app"): { readonly screen: ScreenOfView; readonly view: EnvironmentView } {
  const view = new EnvironmentView({ client, scope: { namespaces: [namespace] }, clock, random: () => 0.5, keeping: informers.keeping });
  ended.push(view.run(stop.signal));
  return { screen: new ScreenOfView(view), view };
}

const namesOf = (screen: ScreenOfView): string[] => [...screen.nodes.values()].map(({ ref }) => ref.name).toSorted();

/** Takes events of a stream in until it ends. */
function follow(events: AsyncIterable<WatchEvent>): { readonly received: string[]; failure?: unknown } {
  const followed: { received: string[]; failure?: unknown } = { received: [] };
  const read = async (): Promise<void> => {
    for await (const event of events) {
      if (event.type === "BOOKMARK") followed.received.push(event.initialEventsEnd ? "end" : "…");
      else followed.received.push(event.type === "ERROR" ? String(event.status.code) : `${event.type} ${event.object.metadata.name}`);
    }
  };
  ended.push(read().catch((error: unknown) => (followed.failure = error)));
  return followed;
}

test("fifty views of a cluster cause as many watches as one, and nothing is listed while nothing changes", async () => {
  cluster.put("/pods", pod("web"));
  const screens = [];
  for (let index = 0; index < 50; index += 1) screens.push(open(clientOf()).screen);
  await clock.elapse(5_000);
  expect(screens.map(namesOf)).toEqual(screens.map(() => ["web"]));
  expect(KINDS.map(({ group, resource }) => cluster.openWatches(`${group}/${resource}`))).toEqual([1, 1, 1]);
  const requested = cluster.requests.filter((request) => request !== "discover").length;
  for (let minute = 0; minute < 5; minute += 1) {
    cluster.bookmark();
    await clock.elapse(60_000);
  }
  expect(cluster.requests.filter((request) => request !== "discover")).toHaveLength(requested);
  // Discovery is requested once for all clients at about the same time.
  expect(cluster.count("discover")).toBeLessThan(160);
  cluster.put("/pods", pod("web-2"));
  await clock.elapse(1_000);
  expect(namesOf(screens[49] as ScreenOfView)).toEqual(["web", "web-2"]);
});

test("what all hold is held once: views of the same objects hold the same ones", async () => {
  cluster.put("/pods", pod("web"));
  const [one, two] = [clientOf(), clientOf()];
  const lists = await Promise.all(
    [one, two].map((client) => client.list({ kind: PODS, namespace: "app", limit: 500, metadataOnly: false }, stop.signal)),
  );
  const [a, b] = lists.map(({ items }) => items[0]);
  expect(a).toBe(b);
  const { keeper } = informers.keeping;
  expect(keeper.keep(a as KubeObject, false, { get: (text: string) => text } as never)).toBe(a);
});

test("T37: an object without a checked right of the viewer is never returned, in a list, a watch or alone, also when the informers have it", async () => {
  cluster.put("/pods", pod("mine"));
  cluster.put("/pods", pod("canary", "secret"));
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "canary-map", namespace: "app" } });
  const other = open(clientOf(), "secret");
  const rights: ViewerRights = {
    mayList: ({ resource }, namespace) => resource === "pods" && namespace === "app",
    mayGet: ({ resource }, namespace) => resource === "pods" && namespace === "app",
  };
  const client = clientOf(rights, cluster);
  const { screen } = open(client);
  await clock.elapse(5_000);
  cluster.put("/pods", pod("canary-2", "secret"));
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "canary-map-2", namespace: "app" } });
  await clock.elapse(5_000);
  expect(namesOf(other.screen)).toEqual(["canary", "canary-2"]);
  expect(namesOf(screen)).toEqual(["mine"]);
  expect(screen.sources.get("/configmaps/app")?.settled).toBe("forbidden");
  const refused = { failure: "api", status: { code: 403 } };
  await expect(client.get({ kind: PODS, namespace: "secret", name: "canary" }, stop.signal)).rejects.toMatchObject(refused);
  await expect(client.list({ kind: PODS, namespace: "", limit: 1, metadataOnly: true }, stop.signal)).rejects.toMatchObject(refused);
  expect(JSON.stringify(screen.picture())).not.toContain("canary");
});

test("a kind that the informers may not read is read as the viewer", async () => {
  cluster.forbidden.add("/configmaps");
  const asViewer = new FakeCluster(KINDS, { streams: true });
  asViewer.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } });
  const { screen } = open(clientOf(ALL, asViewer));
  await clock.elapse(5_000);
  expect(namesOf(screen)).toEqual(["settings"]);
  expect(screen.sources.get("/configmaps/app")?.settled).toBe("live");
  expect(asViewer.openWatches("/configmaps")).toBe(1);
  stop.abort();
  await clock.elapse(0);
  asViewer.assertIdle();
});

test("where all namespaces may not be read, each has an informer of its own", async () => {
  cluster.forbidden.add("/pods@");
  cluster.put("/pods", pod("web"));
  const { screen } = open(clientOf());
  await clock.elapse(5_000);
  expect(namesOf(screen)).toEqual(["web"]);
  expect(cluster.places).toContain("stream /pods@app");
});

test("R2: informers whose watches are half dead are read on, and their followers receive only what they had missed", async () => {
  cluster.put("/pods", pod("web"));
  const { screen } = open(clientOf());
  await clock.elapse(5_000);
  const filled = cluster.requests.filter((request) => /^(?:list|stream)/.test(request)).length;
  cluster.freezeWatches();
  cluster.put("/pods", pod("new"));
  await clock.elapse(80_000);
  expect(namesOf(screen)).toEqual(["web"]);
  await clock.elapse(20_000);
  expect(namesOf(screen)).toEqual(["new", "web"]);
  expect(cluster.requests.filter((request) => /^(?:list|stream)/.test(request))).toHaveLength(filled);
  expect([...screen.sources.values()].map(({ stale }) => stale)).toEqual([undefined, undefined, undefined]);
});

test("a follower of a quiet namespace receives the position of the informers each minute, and is not cut off for its silence", async () => {
  cluster.put("/pods", pod("web"));
  const { screen } = open(clientOf());
  await clock.elapse(5_000);
  for (let minute = 0; minute < 9; minute += 1) {
    for (let each = 0; each < 300; each += 1) cluster.put("/pods", pod("busy", "other", `app:${minute}-${each}`));
    await clock.elapse(60_000);
    expect([...screen.sources.values()].map(({ stale }) => stale)).toEqual([undefined, undefined, undefined]);
  }
  expect(namesOf(screen)).toEqual(["web"]);
});

test("a follower that was disconnected continues where it was: there is no list, and no change is called a gap", async () => {
  cluster.put("/pods", pod("web"));
  const { screen, view } = open(clientOf());
  await clock.elapse(5_000);
  const filled = cluster.requests.filter((request) => /^(?:list|stream|probe)/.test(request)).length;
  cluster.disconnect();
  cluster.put("/pods", pod("web", "app", "app:2"));
  await clock.elapse(30_000);
  expect(namesOf(screen)).toEqual(["web"]);
  expect(cluster.requests.filter((request) => /^(?:list|stream|probe)/.test(request))).toHaveLength(filled);
  expect(view.changesOf().changes.map(({ kind, afterGap }) => [kind, afterGap])).toEqual([[2, false]]);
});

test("a reader that stalls must begin again, and delays no other reader", async () => {
  const stalled = clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, stop.signal);
  const first = stalled[Symbol.asyncIterator]();
  await clock.elapse(0);
  const end = first.next();
  await clock.elapse(0);
  expect(await end).toMatchObject({ value: { type: "BOOKMARK", initialEventsEnd: true } });
  const other = follow(clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, stop.signal));
  await clock.elapse(0);
  for (let index = 0; index <= 10_000; index += 1) {
    cluster.put("/pods", pod("web", "app", `app:${index}`));
    if (index % 100 === 0) await clock.elapse(0);
  }
  await clock.elapse(0);
  expect(other.received.filter((line) => line === "MODIFIED web")).toHaveLength(10_000);
  expect(await first.next()).toMatchObject({ value: { type: "ERROR", status: { code: 410 } } });
  await first.return?.();
});

test("a client that resumes at an unknown position receives 410", async () => {
  const nonsense = follow(clientOf().watch({ kind: PODS, namespace: "", resourceVersion: "7", metadataOnly: false }, stop.signal));
  await clock.elapse(0);
  expect(nonsense.received).toEqual(["410"]);
});

test("an unreachable cluster ends all followers with its own reason, and fails requests meanwhile", async () => {
  const followed = follow(clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, stop.signal));
  await clock.elapse(1_000);
  cluster.outage = new KubeClientError("api_down", "connection refused");
  cluster.disconnect();
  await clock.elapse(1_000);
  expect(followed.failure).toBeInstanceOf(KubeClientError);
  await clock.elapse(10_000);
  const stream = follow(clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, stop.signal));
  await clock.elapse(0);
  expect(stream.failure).toBeInstanceOf(KubeClientError);
  cluster.outage = undefined;
  await clock.elapse(60_000);
  const later = follow(clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, stop.signal));
  await clock.elapse(0);
  expect(later.received).toEqual(["end"]);
});

test("informers end a while after the last has left, and begin again for the next", async () => {
  const mine = new AbortController();
  const followed = follow(clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, mine.signal));
  await clock.elapse(600_000);
  expect([informers.size, cluster.openWatches()]).toEqual([1, 1]);
  mine.abort();
  await clock.elapse(300_000);
  // Beside the bookmark of each minute: nothing has changed.
  expect([followed.received.filter((event) => event !== "…"), informers.size, cluster.openWatches()]).toEqual([["end"], 0, 0]);
  expect(budget.usedBytes).toBe(0);
  const next = follow(clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, stop.signal));
  await clock.elapse(0);
  expect(next.received).toEqual(["end"]);
});

test("what does not fit into memory is not held in part", async () => {
  for (let index = 0; index < 400; index += 1) cluster.put("/pods", pod(`web-${index}`, "app", "x".repeat(10_000)));
  const followed = follow(clientOf().stream({ kind: PODS, namespace: "", metadataOnly: false }, stop.signal));
  await clock.elapse(5_000);
  expect(followed.failure).toMatchObject({ failure: "too_large" });
  expect(followed.received).toEqual([]);
});

test("when rules begin to read whole objects, all followers receive whole ones", async () => {
  cluster.put("/pods", pod("web"));
  const before = await clientOf().list({ kind: PODS, namespace: "app", limit: 500, metadataOnly: false }, stop.signal);
  const { keeper } = informers.keeping;
  expect(keeper.isWhole(before.items[0] as KubeObject)).toBe(false);
  const letGo = keeper.hold({
    edges: [],
    rules: { ruleFor: () => ({ source: "a team" }), lookup: () => ({ kind: "none" }), onChange: () => () => {} },
  });
  const list = clientOf().list({ kind: PODS, namespace: "app", limit: 500, metadataOnly: false }, stop.signal);
  await clock.elapse(1_000);
  const after = await list;
  expect(after.items.map((object) => [object.metadata.name, keeper.isWhole(object)])).toEqual([["web", true]]);
  letGo();
});
