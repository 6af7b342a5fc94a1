import { Fault } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import type { KasRoute, RouteStore } from "../agent-tracker/route-store.ts";
import { RouteFinder, type RouteResult } from "./route-finder.ts";

const ROUTE: KasRoute = { kasId: "b", urls: ["grpc://b:1"], draining: false, epoch: 1 };

let clock: ManualClock;
let lookups: bigint[];
let answer: () => Promise<readonly KasRoute[]>;
let hint: ((agentId: bigint) => void) | undefined;
let listening: () => void;
let finder: RouteFinder;

beforeEach(() => {
  clock = new ManualClock();
  lookups = [];
  answer = async () => [ROUTE];
  hint = undefined;
  const store: RouteStore = {
    publish: () => undefined,
    withdraw: () => undefined,
    depart: async () => undefined,
    lookup: (agentId) => {
      lookups.push(agentId);
      return answer();
    },
    onHint: (listener, onListening) => {
      listening = onListening;
      hint = listener;
      return () => (hint = undefined);
    },
  };
  finder = new RouteFinder(store, clock);
});

/** Lets promises that are already settled be seen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test("callers for one agent share one look-up, and a late one gets the last result at once", async () => {
  const results: RouteResult[] = [];
  for (let count = 0; count < 5_000; count += 1) finder.watch(1n, (result) => results.push(result));
  await settle();
  expect(lookups).toEqual([1n]);
  expect(results).toHaveLength(5_000);
  finder.watch(1n, (result) => results.push(result));
  expect(results.at(-1)).toEqual({ kind: "routes", routes: [ROUTE] });
  expect(lookups).toEqual([1n]);
});

test("without a hint it looks again after one to five seconds", async () => {
  finder.watch(1n, () => undefined);
  await settle();
  clock.advance(999);
  expect(lookups).toHaveLength(1);
  for (let seconds = 0; seconds < 60; seconds += 1) {
    clock.advance(1_000);
    await settle();
  }
  expect(lookups.length).toBeGreaterThan(60 / 5);
  expect(lookups.length).toBeLessThan(60);
});

test("T22: a hint wakes the callers of that agent, and a flood of hints is one look-up", async () => {
  finder.watch(1n, () => undefined);
  await settle();
  hint?.(2n);
  clock.advance(50);
  expect(lookups).toHaveLength(1);
  for (let count = 0; count < 100_000; count += 1) hint?.(1n);
  clock.advance(50);
  await settle();
  expect(lookups).toHaveLength(2);
});

test("a hint during a look-up is not lost", async () => {
  let finish: (routes: readonly KasRoute[]) => void = () => undefined;
  answer = () => new Promise((resolve) => (finish = resolve));
  finder.watch(1n, () => undefined);
  hint?.(1n);
  expect(lookups).toHaveLength(1);
  finish([]);
  await settle();
  clock.advance(100);
  expect(lookups).toHaveLength(2);
});

test("a failure of the store is reported, and the query is repeated", async () => {
  answer = () => Promise.reject(new Fault("store_unavailable", "away"));
  const results: RouteResult[] = [];
  finder.watch(1n, (result) => results.push(result));
  await settle();
  answer = async () => [ROUTE];
  clock.advance(5_000);
  await settle();
  expect(results).toMatchObject([{ kind: "failed", fault: { reason: "store_unavailable" } }, { kind: "routes" }]);
});

test("the last caller takes timers with it", async () => {
  const stop = [finder.watch(1n, () => undefined), finder.watch(1n, () => undefined), finder.watch(2n, () => undefined)];
  await settle();
  for (const each of stop) each();
  expect(finder.size).toBe(0);
  expect(clock.pending).toBe(0);
});

test("M4: hints are listened to from the start and for ever, so that none falls between look-up and subscription", async () => {
  expect(hint).toBeDefined();
  const stop = finder.watch(1n, () => undefined);
  await settle();
  stop();
  expect(hint).toBeDefined();
});

test("M4: when hints begin to arrive (again) everything that is looked for is looked up again", async () => {
  finder.watch(1n, () => undefined);
  finder.watch(2n, () => undefined);
  await settle();
  listening();
  clock.advance(25);
  await settle();
  expect(lookups).toEqual([1n, 2n, 1n, 2n]);
});
