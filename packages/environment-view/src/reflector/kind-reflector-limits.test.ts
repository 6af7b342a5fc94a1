import type { KubeObject } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";
import { afterEach, expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { KindReflectorHarness, pod } from "./kind-reflector-harness.ts";

let harness: KindReflectorHarness;
afterEach(() => harness.end());

function fat(name: string, size = 10_000): KubeObject {
  return { ...pod(name), metadata: { name, labels: { text: "x".repeat(size) } } };
}

function small(options: { streams?: boolean; maxObjects?: number } = {}): KindReflectorHarness {
  return new KindReflectorHarness({ ...options, budget: new ByteBudget(100_000) });
}

test.each([true, false])("XS4, T14: objects beyond the budget make the kind truncated, and it says so (streams: %s)", async (streams) => {
  harness = small({ streams });
  for (let index = 0; index < 30; index += 1) harness.cluster.put("/pods", fat(`p${index}`));
  await harness.start();
  const { state } = harness.source;
  expect(state).toMatchObject({ settled: "truncated", total: 30, words: words("source/too-large") });
  expect(harness.shown.size).toBeGreaterThan(5);
  expect(harness.shown.size).toBeLessThan(11);
  expect(harness.budget.usedBytes).toBeLessThanOrEqual(100_000);
});

test.each([true, false])(
  "XS4, T14: a watch that brings object after object fills the budget and no more (streams: %s)",
  async (streams) => {
    harness = small({ streams });
    await harness.start();
    for (let index = 0; index < 30; index += 1) harness.cluster.put("/pods", fat(`p${index}`));
    await harness.clock.elapse(0);
    expect(harness.source.state).toMatchObject({ settled: "truncated", total: 30 });
    expect(harness.budget.usedBytes).toBeLessThanOrEqual(100_000);
  },
);

test("XS4: an object that grows beyond the budget leaves the picture and is counted", async () => {
  harness = small();
  harness.cluster.put("/pods", pod("a"));
  harness.cluster.put("/pods", pod("b"));
  await harness.start();
  harness.cluster.put("/pods", fat("a", 200_000));
  await harness.clock.elapse(0);
  expect(harness.names()).toEqual(["b"]);
  expect(harness.source.state).toMatchObject({ settled: "truncated", total: 2 });
});

test("XS4, T15: a later page that is too long truncates the kind and keeps what was read", async () => {
  harness = new KindReflectorHarness();
  for (let index = 0; index < 700; index += 1) harness.cluster.put("/pods", pod(`p${String(index).padStart(3, "0")}`));
  const list = harness.cluster.list.bind(harness.cluster);
  const tooLarge = new KubeClientError("too_large", "the answer is longer than 64 MiB");
  harness.cluster.list = (request, signal) => (request.continueToken === undefined ? list(request, signal) : Promise.reject(tooLarge));
  await harness.start();
  expect(harness.shown.size).toBe(500);
  expect(harness.source.state).toMatchObject({ settled: "truncated", total: 700, words: quoted("the answer is longer than 64 MiB") });
  expect(harness.monitor.connection.state).toBe("connected");
});

test("XS4, T15: a kind whose every answer is too long is requested once a minute, and comes back when it is not", async () => {
  harness = small({ streams: true });
  harness.cluster.put("/pods", pod("a"));
  harness.cluster.outage = new KubeClientError("too_large", "the answer is longer than 64 MiB");
  await harness.start();
  await harness.clock.elapse(59_000);
  expect(harness.cluster.requests.filter((request) => request.endsWith("/pods"))).toHaveLength(2);
  expect(harness.source.state).toMatchObject({ settled: "truncated", words: quoted("the answer is longer than 64 MiB") });
  harness.cluster.outage = undefined;
  await harness.clock.elapse(2_000);
  expect(harness.names()).toEqual(["a"]);
  expect(harness.source.state.settled).toBe("live");
});

test("XS4, T14: pages without objects and without an end are given up", async () => {
  harness = small();
  let pages = 0;
  harness.cluster.list = () => {
    pages += 1;
    return Promise.resolve({ items: [], resourceVersion: "1", continueToken: "more", remaining: undefined });
  };
  await harness.start();
  expect(pages).toBeLessThan(100);
  expect(harness.source.state.settled).toBe("truncated");
});

test("XS4, T14: initial events that repeat one object without an end are given up", async () => {
  harness = new KindReflectorHarness({ streams: true, maxObjects: 10 });
  let events = 0;
  Object.assign(harness.cluster, {
    async *stream() {
      for (;;) {
        events += 1;
        yield await Promise.resolve({ type: "ADDED", object: pod("a") });
      }
    },
  });
  await harness.start();
  expect(events).toBeLessThan(10_000);
  expect(harness.source.state.settled).toBe("live");
});

test("XS4: what a watch says of an error is cut to what people read", async () => {
  harness = small();
  await harness.start();
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "", code: 500 } as const;
  harness.cluster.watchError = { ...status, message: "x".repeat(1_000_000) };
  harness.cluster.disconnect();
  await harness.clock.elapse(3_000);
  expect(harness.source.state.stale?.words).toEqual(quoted(`${"x".repeat(500)}…`));
});

test("reading (c): a changed object that is not listed does not make a truncated kind grow", async () => {
  harness = new KindReflectorHarness({ maxObjects: 500 });
  for (let index = 0; index < 600; index += 1) harness.cluster.put("/pods", pod(`p${String(index).padStart(3, "0")}`));
  await harness.start();
  for (let index = 500; index < 600; index += 1) harness.cluster.put("/pods", pod(`p${index}`, "Failed"));
  await harness.clock.elapse(0);
  expect(harness.shown.size).toBe(500);
  expect(harness.source.state.total).toBe(600);
});

test("reading (c): a kind that was whole does not grow beyond its bound by what is added", async () => {
  harness = new KindReflectorHarness({ maxObjects: 5 });
  await harness.start();
  for (let index = 0; index < 20; index += 1) harness.cluster.put("/pods", pod(`p${index}`));
  await harness.clock.elapse(0);
  expect(harness.shown.size).toBe(5);
  expect(harness.source.state).toMatchObject({ settled: "truncated", total: 20 });
});

test("reading (c): the total of a truncated kind goes down with what is deleted, shown or not", async () => {
  harness = new KindReflectorHarness({ maxObjects: 500 });
  for (let index = 0; index < 600; index += 1) harness.cluster.put("/pods", pod(`p${String(index).padStart(3, "0")}`));
  await harness.start();
  for (const name of ["p000", "p001", "p599"]) harness.cluster.delete("/pods", name);
  await harness.clock.elapse(0);
  expect(harness.source.state).toMatchObject({ settled: "truncated", total: 597 });
  expect(harness.shown.size).toBe(498);
});

test("XM14: watches that end after one event are opened ever more rarely", async () => {
  harness = new KindReflectorHarness();
  harness.cluster.put("/pods", pod("a"));
  let opened = 0;
  harness.cluster.watch = async function* (request) {
    opened += 1;
    request.opened?.();
    yield await Promise.resolve({ type: "BOOKMARK", resourceVersion: "200", initialEventsEnd: false });
  };
  await harness.start();
  await harness.clock.elapse(600_000);
  // Half a second at first, half a minute at last, each shortened at random to no less than a tenth; at once would be hundreds of thousands.
  expect(opened).toBeGreaterThan(10);
  expect(opened).toBeLessThan(220);
});

test("XM14: watches that break as soon as they are opened are opened ever more rarely while the way is well", async () => {
  harness = new KindReflectorHarness();
  let opened = 0;
  // oxlint-disable-next-line require-yield -- breaks before it brings anything
  harness.cluster.watch = async function* (request) {
    opened += 1;
    request.opened?.();
    await Promise.resolve();
    throw new KubeClientError("connection", "the watch broke off in a line");
  };
  await harness.start();
  await harness.clock.elapse(600_000);
  expect(opened).toBeGreaterThan(10);
  expect(opened).toBeLessThan(220);
});
