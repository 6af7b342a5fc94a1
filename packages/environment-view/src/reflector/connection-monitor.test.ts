import { ManualClock } from "@binnacle/testing";
import { quoted } from "@binnacle/words";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeCluster } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { ConnectionMonitor } from "./connection-monitor.ts";

let clock: ManualClock;
let cluster: FakeCluster;
let monitor: ConnectionMonitor;
let states: string[];
let stop: AbortController;
let ended: Promise<void>;

beforeEach(async () => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new FakeCluster([]);
  states = [];
  stop = new AbortController();
  monitor = new ConnectionMonitor({
    clock,
    random: () => 0,
    changed: () => states.push(monitor.connection.state),
    prove: async (signal) => {
      await cluster.discover("none", signal);
    },
  });
  ended = monitor.run(stop.signal);
  await clock.elapse(0);
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
});

test("is connected after the first answer and proves itself every 10 s", async () => {
  expect(monitor.connection.state).toBe("connected");
  await clock.elapse(30_000);
  expect(cluster.count("discover")).toBe(4);
  expect(states).toEqual(["connected"]);
});

test("says offline at once when kas says so, since the last answer, and recovers by itself", async () => {
  const lastAnswerMs = clock.now();
  cluster.outage = new KubeClientError("agent_offline", "no tunnel");
  await clock.elapse(5_000);
  monitor.suspect();
  await clock.elapse(0);
  expect(monitor.connection).toEqual({ state: "agent_offline", sinceMs: lastAnswerMs, words: quoted("no tunnel") });
  cluster.outage = undefined;
  await clock.elapse(5_000);
  expect(monitor.connection.state).toBe("connected");
});

test("a silent agent is reconnecting after 3 s of waiting and offline after 30 s of silence", async () => {
  cluster.hanging = true;
  await clock.elapse(10_000);
  expect(monitor.connection.state).toBe("connected");
  await clock.elapse(3_000);
  expect(monitor.connection.state).toBe("reconnecting");
  await clock.elapse(17_000);
  expect(monitor.connection.state).toBe("agent_offline");
  cluster.hanging = false;
  await clock.elapse(20_000);
  expect(monitor.connection.state).toBe("connected");
});

test("a silent agent whose watches broke is offline after 10 s", async () => {
  cluster.hanging = true;
  await clock.elapse(5_000);
  monitor.suspect();
  await clock.elapse(9_000);
  expect(monitor.connection.state).toBe("reconnecting");
  await clock.elapse(1_000);
  expect(monitor.connection.state).toBe("agent_offline");
  cluster.hanging = false;
  await clock.elapse(30_000);
  expect(monitor.connection.state).toBe("connected");
});

test("a kas that is away is reconnecting, never an offline agent", async () => {
  cluster.outage = new KubeClientError("connection", "kas does not answer");
  await clock.elapse(120_000);
  expect(states).toEqual(["connected", "reconnecting"]);
});

test("a kas that takes a moment to refuse is never an offline agent either", async () => {
  monitor.suspect();
  cluster.slowMs = 5;
  cluster.clock = clock;
  cluster.outage = new KubeClientError("connection", "kas does not answer");
  await clock.elapse(120_000);
  expect(states).toEqual(["connected", "reconnecting"]);
});

test("wakes those who wait with the next answer", async () => {
  cluster.outage = new KubeClientError("connection", "kas does not answer");
  monitor.suspect();
  let woken = false;
  const waiting = monitor.proven(stop.signal).then(() => (woken = true));
  await clock.elapse(2_000);
  expect(woken).toBe(false);
  cluster.outage = undefined;
  await clock.elapse(5_000);
  expect(woken).toBe(true);
  await waiting;
});

test("a complaint of the API server is an answer", async () => {
  cluster.outage = new KubeClientError("api", "forbidden");
  await clock.elapse(60_000);
  expect(states).toEqual(["connected"]);
});

test("W17: an agent that is offline stays so while kas cuts its last requests or the credential is refused", async () => {
  cluster.outage = new KubeClientError("agent_offline", "no tunnel");
  await clock.elapse(20_000);
  states.length = 0;
  for (const failure of ["connection", "unauthorized", "busy", "timeout", "agent_offline", "connection", "agent_offline"] as const) {
    cluster.outage = new KubeClientError(failure, "something else");
    await clock.elapse(8_000);
  }
  expect(states).toEqual([]);
  expect(monitor.connection.state).toBe("agent_offline");
});

test("W17: an agent that kept silent until it was called offline stays so when kas cuts its requests", async () => {
  cluster.hanging = true;
  await clock.elapse(32_000);
  expect(monitor.connection.state).toBe("agent_offline");
  states.length = 0;
  cluster.hanging = false;
  cluster.outage = new KubeClientError("connection", "the request broke on its way");
  await clock.elapse(10_000);
  cluster.outage = new KubeClientError("agent_offline", "no tunnel");
  await clock.elapse(20_000);
  expect(states).toEqual([]);
});

test("W17: an old report that the agent is away is forgotten when only the connection breaks", async () => {
  cluster.outage = new KubeClientError("agent_offline", "no tunnel");
  await clock.elapse(20_000);
  cluster.outage = new KubeClientError("connection", "the store does not answer");
  await clock.elapse(60_000);
  expect(monitor.connection.state).toBe("reconnecting");
});

test.each(["kas_unreachable", "api_down"] as const)(
  "US6: %s is called by its name after 5 s, with the last answer as its beginning",
  async (who) => {
    const lastAnswerMs = clock.now();
    cluster.outage = new KubeClientError(who, "away");
    await clock.elapse(14_000);
    expect(monitor.connection.state).toBe("reconnecting");
    await clock.elapse(10_000);
    expect(monitor.connection).toEqual({ state: who, sinceMs: lastAnswerMs, words: quoted("away") });
    cluster.outage = undefined;
    await clock.elapse(6_000);
    expect(states).toEqual(["connected", "reconnecting", who, "connected"]);
  },
);

test("US6: a view that finds an API server away says so, and never that the agent is", async () => {
  cluster.outage = new KubeClientError("api_down", "connection refused");
  await clock.elapse(180_000);
  expect(states).toEqual(["connected", "reconnecting", "api_down"]);
});

test("US6: an API server that takes every request and answers none is called by its name, and never the agent", async () => {
  // kas says so after 6 s of each question.
  cluster.clock = clock;
  cluster.slowMs = 6_000;
  cluster.outage = new KubeClientError("api_down", "nothing comes");
  await clock.elapse(30_000);
  expect(monitor.connection.state).toBe("api_down");
  monitor.suspect();
  // Whatever waits for it holds the agent's tunnels after a while.
  cluster.outage = new KubeClientError("busy", "all tunnels are held");
  await clock.elapse(120_000);
  expect(states).toEqual(["connected", "reconnecting", "api_down"]);
  cluster.outage = new KubeClientError("agent_offline", "no ping");
  await clock.elapse(20_000);
  expect(monitor.connection.state).toBe("agent_offline");
});

test("US6: kas, the agent and the API server that go one after the other are distinguished", async () => {
  for (const failure of ["api_down", "agent_offline", "kas_unreachable", "api_down"] as const) {
    cluster.outage = new KubeClientError(failure, failure);
    await clock.elapse(30_000);
    expect(monitor.connection.state).toBe(failure);
  }
});
