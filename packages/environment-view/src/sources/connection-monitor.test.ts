import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeCluster } from "../fake-cluster.ts";
import { KubeClientError } from "../kube-client.ts";
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
  expect(monitor.connection).toEqual({ state: "agent_offline", sinceMs: lastAnswerMs, message: "no tunnel" });
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
