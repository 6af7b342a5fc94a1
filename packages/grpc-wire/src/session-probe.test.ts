import type { Clock } from "@binnacle/rpc";
import { beforeEach, expect, test } from "vitest";

import { SessionProbe } from "./session-probe.ts";

let pings: ((error: Error | null) => void)[];
let timers: (() => void)[];
let session: { destroyed: boolean; socket: { bytesRead: number }; ping: (answered: (error: Error | null) => void) => boolean };
let probe: SessionProbe;
let said: boolean[];

const clock: Clock = {
  now: () => 0,
  after(_delayMs, action) {
    timers.push(action);
    return () => void (timers = timers.filter((each) => each !== action));
  },
};

beforeEach(() => {
  pings = [];
  timers = [];
  said = [];
  session = { destroyed: false, socket: { bytesRead: 100 }, ping: (answered) => pings.push(answered) > 0 };
  probe = new SessionProbe(session, { clock, timeoutMs: 2_000 });
});

const ask = (): (() => void) => probe.ask((alive) => said.push(alive));

test("a hundred who ask at a time cost one ping, and all hear its answer", () => {
  for (let count = 0; count < 100; count += 1) ask();
  expect([pings.length, timers.length]).toEqual([1, 1]);
  pings[0]?.(null);
  expect(said).toEqual(Array.from({ length: 100 }, () => true));
  expect(timers).toEqual([]);
  ask();
  expect(pings).toHaveLength(2);
});

test("who answers nothing in time does not live, whatever is said later", () => {
  ask();
  timers[0]?.();
  pings[0]?.(null);
  expect(said).toEqual([false]);
});

test("a late answer to an earlier ping is a sign of life for who asks now", () => {
  ask();
  timers[0]?.();
  ask();
  pings[0]?.(null);
  expect(said).toEqual([false, true]);
});

test("bytes are a sign of life where the answer waits behind them, also where no ping can be sent", () => {
  session.ping = () => false;
  ask();
  session.socket.bytesRead += 1;
  timers[0]?.();
  expect(said).toEqual([true]);
});

test("a session that ends says nothing by its ping", () => {
  ask();
  session.destroyed = true;
  pings[0]?.(new Error("gone"));
  expect(said).toEqual([]);
  timers[0]?.();
  expect(said).toEqual([false]);
});

test("who asks no more hears nothing, and the last one leaves no timer", () => {
  const [first, second] = [ask(), ask()];
  first();
  expect(timers).toHaveLength(1);
  second();
  expect(timers).toEqual([]);
  pings[0]?.(null);
  expect(said).toEqual([]);
});
