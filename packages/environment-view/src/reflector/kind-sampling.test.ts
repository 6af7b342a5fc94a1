import { afterEach, describe, expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { words } from "@binnacle/words";
import { KindReflectorHarness, pod } from "./kind-reflector-harness.ts";

const NO_WATCH = new KubeClientError("no_watch", "the agent's 8 watches are in use", { retryAfterSeconds: 30 });
const SAMPLE = { settled: "live", stale: { cause: "sampled", words: words("source/watch-budget", { seconds: 60 }), everyMs: 60_000 } };

describe.each([{ streams: true }, { streams: false }])("a kind for which the agent carries no watch ($streams)", (options) => {
  let harness: KindReflectorHarness;
  afterEach(() => harness.end());

  test("I4: is listed at once and every minute, and its age is reported", async () => {
    harness = new KindReflectorHarness(options);
    harness.cluster.put("/pods", pod("a"));
    harness.cluster.watchRefusal = NO_WATCH;
    await harness.start();
    expect(harness.names()).toEqual(["a"]);
    expect(harness.source.state).toMatchObject({ ...SAMPLE, asOfMs: harness.clock.now() });
    for (const name of ["b", "c"]) {
      harness.cluster.put("/pods", pod(name));
      await harness.clock.elapse(61_000);
      expect(harness.names()).toContain(name);
      expect(harness.source.state).toMatchObject(SAMPLE);
    }
    // No word about the way to the cluster: it is well.
    expect(harness.monitor.connection.state).toBe("connected");
    expect(harness.cluster.count("list /pods")).toBe(3);
  });

  test("I4: is watched as soon as there is a watch for it", async () => {
    harness = new KindReflectorHarness(options);
    harness.cluster.put("/pods", pod("a"));
    harness.cluster.watchRefusal = NO_WATCH;
    await harness.start();
    harness.cluster.watchRefusal = undefined;
    await harness.clock.elapse(61_000);
    expect(harness.source.state.settled).toBe("live");
    expect(harness.source.state.stale).toBeUndefined();
    expect(harness.cluster.openWatches()).toBe(1);
  });

  test("I4: that loses its watch keeps its objects, and learns of what is gone by the next list", async () => {
    harness = new KindReflectorHarness(options);
    for (const name of ["a", "b"]) harness.cluster.put("/pods", pod(name));
    await harness.start();
    harness.cluster.watchRefusal = NO_WATCH;
    harness.cluster.disconnect();
    await harness.clock.elapse(5_000);
    expect(harness.names()).toEqual(["a", "b"]);
    expect(harness.source.state).toMatchObject(SAMPLE);
    harness.cluster.delete("/pods", "a");
    await harness.clock.elapse(61_000);
    expect(harness.names()).toEqual(["b"]);
  });

  test("I4: a kas that requests an endless delay is tried again all the same", async () => {
    harness = new KindReflectorHarness(options);
    harness.cluster.put("/pods", pod("a"));
    harness.cluster.watchRefusal = new KubeClientError("no_watch", "never", { retryAfterSeconds: 1e9 });
    await harness.start();
    harness.cluster.watchRefusal = undefined;
    await harness.clock.elapse(700_000);
    expect(harness.source.state.settled).toBe("live");
  });
});

test.each([{ streams: true }, { streams: false }])(
  "W1: a kind whose watch is wanted elsewhere says at once that it is sampled ($streams)",
  async (options) => {
    const harness = new KindReflectorHarness(options);
    harness.cluster.put("/pods", pod("a"));
    await harness.start();
    await harness.clock.elapse(1_000);
    expect(harness.source.state.stale).toBeUndefined();
    harness.watches.setLimit(0);
    await harness.clock.elapse(0);
    expect(harness.cluster.openWatches()).toBe(0);
    expect(harness.source.state).toMatchObject(SAMPLE);
    expect(harness.names()).toEqual(["a"]);
    await harness.end();
  },
);

test("W1: a kind whose watch broke when there was no other is listed at once", async () => {
  const harness = new KindReflectorHarness();
  harness.cluster.put("/pods", pod("a"));
  await harness.start();
  await harness.clock.elapse(20_000);
  harness.watches.setLimit(0);
  harness.cluster.put("/pods", pod("b"));
  harness.cluster.disconnect();
  await harness.clock.elapse(1_000);
  expect(harness.names()).toEqual(["a", "b"]);
  expect(harness.source.state).toMatchObject(SAMPLE);
  await harness.end();
});
