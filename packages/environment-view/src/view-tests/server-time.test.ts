import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { HttpKubeClient } from "../http/http-kube-client.ts";
import { ScriptedTransport } from "../http/scripted-transport.ts";
import { Informers } from "../informers/informers.ts";
import { ViewerClient } from "../informers/viewer-client.ts";
import type { KubeClient } from "../base/kube-client.ts";
import { ScreenOfView } from "./screen-of-view.ts";
import { RequestPace } from "../limits/request-pace.ts";
import { SampleIndex } from "../summaries/sample-index.ts";
import { SampledSummaries } from "../summaries/sampled-summaries.ts";

const KINDS = ["/v1/pods/Pod", "/v1/events/Event"].map(kindOf);
const MINUTE_MS = 60_000;
/** By the cluster's clock. */
const SERVER_MS = Date.parse("2026-01-01T12:00:00Z");

let cluster: FakeCluster;
let stop: AbortController;
let ended: Promise<unknown>[];

beforeEach(() => {
  cluster = new FakeCluster(KINDS, { streams: true });
  stop = new AbortController();
  ended = [];
});
afterEach(async () => {
  stop.abort();
  await Promise.all(ended);
});

/** A clock that is wrong by so much, whose owner has heard so from the cluster. */
function wrongBy(ms: number): ManualClock {
  cluster.aheadMs = -ms;
  return new ManualClock(SERVER_MS + ms);
}

/** No node takes it, since so many minutes by the cluster's clock; after five minutes that is a failure. */
function unscheduled(minutes: number): KubeObject {
  const time = new Date(SERVER_MS - minutes * MINUTE_MS).toISOString().replace(".000Z", "Z");
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", lastTransitionTime: time };
  const metadata = { name: `p${minutes}`, namespace: "app", creationTimestamp: time };
  return { apiVersion: "v1", kind: "Pod", metadata, status: { phase: "Pending", conditions: [condition] } };
}

/** The way of an agent: informers that all viewers share. */
function overInformers(clock: ManualClock): KubeClient {
  const informers = new Informers({ client: cluster, clock, budget: new ByteBudget(2 ** 20), random: () => 0.5 });
  ended.push(informers.run(stop.signal));
  return new ViewerClient({ informers, rights: { mayList: () => true, mayGet: () => true }, viewer: new FakeCluster([]) });
}

describe.each([10 * MINUTE_MS, -10 * MINUTE_MS])("a clock that is wrong by %d ms, of the program that makes the view", (wrongMs) => {
  test.each([
    ["a dashboard", (): KubeClient => cluster],
    ["an agent", overInformers],
  ])("changes nothing of the verdicts of %s, nor since when they are so", async (_who, clientOf) => {
    const clock = wrongBy(wrongMs);
    for (const minutes of [1, 6]) cluster.put("/pods", unscheduled(minutes));
    const view = new EnvironmentView({ client: clientOf(clock), scope: { namespaces: ["app"] }, clock, random: () => 0.5 });
    const screen = new ScreenOfView(view);
    ended.push(view.run(stop.signal));
    await clock.elapse(2_000);
    const nodes = [...screen.nodes.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const found = nodes.map(({ ref, health }) => [ref.name, health?.status, health?.why?.firstBadAt]);
    expect(found).toEqual([
      ["p1", "Progressing", "2026-01-01T11:59:00Z"],
      ["p6", "Degraded", "2026-01-01T11:54:00Z"],
    ]);
    stop.abort();
    await clock.elapse(0);
  });

  test("changes nothing of the index", async () => {
    const clock = wrongBy(wrongMs);
    cluster.put("/pods", unscheduled(6));
    const summaries = new SampledSummaries({
      client: cluster,
      clock,
      pace: new RequestPace(clock, 20),
      budget: new ByteBudget(2 ** 20),
      random: () => 0.5,
    });
    ended.push(summaries.run(stop.signal));
    const index = new SampleIndex(summaries, [{ namespaces: ["app"] }]);
    await clock.elapse(10_000);
    expect(index.of("app")?.known?.health.status).toBe("Degraded");
    stop.abort();
    await clock.elapse(0);
  });
});

test("a client learns it from answers of the API server, and not from refusals", async () => {
  const clock = new ManualClock(SERVER_MS);
  let status = 503;
  const date = new Date(SERVER_MS + 10 * MINUTE_MS).toUTCString();
  const transport = new ScriptedTransport(() => ({ status, headers: { date }, body: { kind: "PodList", metadata: {}, items: [] } }));
  const client = new HttpKubeClient(transport, { clock });
  const ask = (): Promise<unknown> => client.json({ path: "/api/v1/pods" }, stop.signal).catch(() => undefined);
  for (let times = 0; times < 4; times += 1) await ask();
  expect(client.aheadMs).toBeUndefined();
  status = 200;
  for (let times = 0; times < 2; times += 1) await ask();
  expect(client.aheadMs).toBe(10 * MINUTE_MS + 500);
});
