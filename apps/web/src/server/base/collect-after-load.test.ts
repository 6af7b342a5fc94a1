import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { CollectAfterLoad } from "./collect-after-load.ts";

let clock: ManualClock;
let collections: number;
let load: CollectAfterLoad;
beforeEach(() => {
  clock = new ManualClock();
  collections = 0;
  load = new CollectAfterLoad(clock, () => (collections += 1));
});

const begin = (count: number): (() => void)[] => Array.from({ length: count }, () => load.begin());

test("A7: garbage is collected within 60 s of the end of a load, and once more when lingering views are gone", () => {
  const streams = begin(100);
  clock.advance(600_000);
  expect(collections).toBe(0);
  for (const end of streams) end();
  clock.advance(60_000);
  expect(collections).toBe(1);
  clock.advance(600_000);
  expect(collections).toBe(2);
  clock.assertIdle();
});

test("a load has ended when a quarter of its streams is left, however often a stream says that it ended", () => {
  const streams = begin(100);
  for (const end of streams.slice(0, 74)) for (let times = 0; times < 2; times += 1) end();
  clock.advance(600_000);
  expect(collections).toBe(0);
  streams[74]?.();
  clock.advance(600_000);
  expect(collections).toBe(2);
});

test("a load that comes back is not interrupted, and is collected for when it ends", () => {
  for (const end of begin(100)) end();
  clock.advance(10_000);
  const again = begin(30);
  clock.advance(600_000);
  expect(collections).toBe(0);
  for (const end of again) end();
  clock.advance(600_000);
  expect(collections).toBe(2);
});

test("a few streams are no load, also after one that was", () => {
  for (const end of begin(19)) end();
  clock.assertIdle();
  for (const end of begin(100)) end();
  clock.advance(600_000);
  collections = 0;
  for (const end of begin(19)) end();
  clock.assertIdle();
  expect(collections).toBe(0);
});

test("nothing is collected after it was closed", () => {
  for (const end of begin(100)) end();
  load.close();
  clock.advance(600_000);
  expect(collections).toBe(0);
});
