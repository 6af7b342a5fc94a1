import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { withoutStalls } from "./gitops-service.ts";

let clock: ManualClock;
let stalls: number;
let isShort: boolean;
beforeEach(() => {
  clock = new ManualClock();
  stalls = 0;
  isShort = false;
});
afterEach(() => clock.assertIdle());

async function* numbers(): AsyncGenerator<number, void> {
  yield 1;
  yield 2;
}

const guarded = (): AsyncGenerator<number, void> =>
  withoutStalls(numbers(), { clock, isShort: () => isShort, onStall: () => (stalls += 1) });

test("a reader that takes each message in time is never cut, however long it all takes", async () => {
  const messages = guarded();
  for (const expected of [1, 2]) {
    expect((await messages.next()).value).toBe(expected);
    clock.advance(599_000);
  }
  expect((await messages.next()).done).toBe(true);
  expect(stalls).toBe(0);
});

test("a reader that takes nothing is cut after ten minutes, and after one when bytes are short", async () => {
  const messages = guarded();
  await messages.next();
  clock.advance(599_999);
  expect(stalls).toBe(0);
  clock.advance(1);
  expect(stalls).toBe(1);
  const other = guarded();
  await other.next();
  clock.advance(120_000);
  expect(stalls).toBe(1);
  isShort = true;
  clock.advance(60_000);
  expect(stalls).toBe(2);
});
