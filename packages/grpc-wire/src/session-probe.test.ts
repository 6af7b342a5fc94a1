import type { Clock } from "@binnacle/rpc";
import { beforeEach, expect, test } from "vitest";

import { SessionProbe } from "./session-probe.ts";

let pings: ((error: Error | null) => void)[];
let timers: (() => void)[];
let session: { destroyed: boolean; socket: { bytesRead: number }; ping: (answered: (error: Error | null) => void) => boolean };
let probe: SessionProbe;
let results: boolean[];

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
  results = [];
  session = { destroyed: false, socket: { bytesRead: 100 }, ping: (answered) => pings.push(answered) > 0 };
  probe = new SessionProbe(session, { clock, timeoutMs: 2_000 });
});

const ask = (): (() => void) => probe.ask((alive) => results.push(alive));

test("a hundred concurrent callers share one ping and its result", () => {
  for (let count = 0; count < 100; count += 1) ask();
  expect([pings.length, timers.length]).toEqual([1, 1]);
  pings[0]?.(null);
  expect(results).toEqual(Array.from({ length: 100 }, () => true));
  expect(timers).toEqual([]);
  ask();
  expect(pings).toHaveLength(2);
});

test("a session without a reply in time is dead, even when one comes later", () => {
  ask();
  timers[0]?.();
  pings[0]?.(null);
  expect(results).toEqual([false]);
});

test("a late reply to an earlier ping counts as a sign of life for the next probe", () => {
  ask();
  timers[0]?.();
  ask();
  pings[0]?.(null);
  expect(results).toEqual([false, true]);
});

test("bytes are a sign of life where the answer waits behind them, also where no ping can be sent", () => {
  session.ping = () => false;
  ask();
  session.socket.bytesRead += 1;
  timers[0]?.();
  expect(results).toEqual([true]);
});

test("the ping of a session that ends has no result", () => {
  ask();
  session.destroyed = true;
  pings[0]?.(new Error("gone"));
  expect(results).toEqual([]);
  timers[0]?.();
  expect(results).toEqual([false]);
});

test("a cancelled caller gets no result, and the last one leaves no timer", () => {
  const [first, second] = [ask(), ask()];
  first();
  expect(timers).toHaveLength(1);
  second();
  expect(timers).toEqual([]);
  pings[0]?.(null);
  expect(results).toEqual([]);
});
