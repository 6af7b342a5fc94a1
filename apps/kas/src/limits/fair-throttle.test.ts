import { Fault } from "@binnacle/rpc";
import { ManualClock, settle } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { FairThrottle, type Turn } from "./fair-throttle.ts";

type Lane = "agents" | "users" | "reports";
const never = new AbortController().signal;
const LANES = {
  agents: { weight: 2, comeBackWithinMs: 60_000 },
  users: { weight: 2, comeBackWithinMs: 60_000 },
  reports: { weight: 1, comeBackWithinMs: 60_000 },
};

function throttleOf(clock: ManualClock, options: { perSecond: number; burst: number; surplus?: () => boolean }): FairThrottle<Lane> {
  const { surplus, ...rate } = options;
  const busy = { reason: "main_application_unavailable", message: "busy" } as const;
  return new FairThrottle<Lane>({ clock, rate, lanes: LANES, busy, ...(surplus && { surplus }) });
}

/** Takes turns, and writes down in which order they came. */
function taker(throttle: FairThrottle<Lane>): {
  readonly take: (name: string, turn?: Partial<Turn<Lane>>) => Promise<void>;
  readonly order: string[];
} {
  const order: string[] = [];
  return {
    order,
    take: (name, turn = {}) =>
      throttle.take({ lane: "users", standing: "known", flow: name, maxWaitMs: 1_000_000, signal: never, ...turn }).then(
        () => void order.push(name),
        (error: unknown) => void order.push(error instanceof Fault ? `${name}: ${error.reason}` : "bug"),
      ),
  };
}

test("XB2: known callers go before unknown ones, who keep a third", async () => {
  const clock = new ManualClock();
  const throttle = throttleOf(clock, { perSecond: 30, burst: 30 });
  const { take, order } = taker(throttle);
  for (let index = 0; index < 60; index += 1) void take("unknown", { standing: "new" });
  await settle();
  order.length = 0;
  for (let index = 0; index < 300; index += 1) void take("known");
  await clock.elapse(3_000);
  const known = order.filter((name) => name === "known").length;
  expect(order.length - known).toBeGreaterThanOrEqual(29);
  expect(order.length - known).toBeLessThanOrEqual(31);
  expect(known).toBeGreaterThanOrEqual(60);
});

test("XB2: unknown callers leave two thirds of a full bucket to known ones", async () => {
  const clock = new ManualClock();
  const { take, order } = taker(throttleOf(clock, { perSecond: 50, burst: 300 }));
  for (let index = 0; index < 1_000; index += 1) void take("unknown", { standing: "new" });
  await settle();
  expect(order).toHaveLength(100);
  for (let index = 0; index < 200; index += 1) void take("known");
  await settle();
  expect(order.filter((name) => name === "known")).toHaveLength(200);
});

test("XB2: without known callers, unknown callers have the full rate, unless too many of them were rejected", async () => {
  const clock = new ManualClock();
  let surplus = true;
  const { take, order } = taker(throttleOf(clock, { perSecond: 30, burst: 3, surplus: () => surplus }));
  for (let index = 0; index < 1_000; index += 1) void take("unknown", { standing: "new" });
  await clock.elapse(1_000);
  order.length = 0;
  await clock.elapse(10_000);
  expect(Math.abs(order.length - 300)).toBeLessThanOrEqual(3);
  surplus = false;
  await clock.elapse(1_000);
  order.length = 0;
  await clock.elapse(10_000);
  expect(Math.abs(order.length - 100)).toBeLessThanOrEqual(3);
});

test("KB4: agents, users and reports take turns by their weight, and a lane that rested has saved nothing up", async () => {
  const clock = new ManualClock();
  const { take, order } = taker(throttleOf(clock, { perSecond: 10, burst: 1 }));
  for (let index = 0; index < 100; index += 1) void take("agent", { lane: "agents" });
  await clock.elapse(5_000);
  order.length = 0;
  for (let index = 0; index < 100; index += 1) void take("user");
  for (let index = 0; index < 100; index += 1) void take("report", { lane: "reports" });
  await clock.elapse(2_000);
  const count = (name: string): number => order.filter((entry) => entry === name).length;
  expect([count("agent"), count("user"), count("report")]).toEqual([8, 8, 4]);
});

test("KB4: one caller's thousand questions do not hold up another's one", async () => {
  const clock = new ManualClock();
  const { take, order } = taker(throttleOf(clock, { perSecond: 10, burst: 1 }));
  for (let index = 0; index < 200; index += 1) void take("many");
  void take("one");
  await clock.elapse(200);
  expect(order).toEqual(["many", "many", "one"]);
});

test("KB4: a full queue takes from the longest flow to let another one in", async () => {
  const clock = new ManualClock();
  const { take, order } = taker(throttleOf(clock, { perSecond: 1, burst: 1 }));
  for (let index = 0; index < 40; index += 1) void take("many");
  void take("one");
  await settle();
  expect(order[0]).toBe("many");
  expect(order.slice(1).every((entry) => entry === "many: main_application_unavailable")).toBe(true);
  await clock.elapse(2_000);
  expect(order).toContain("one");
});

test("KB4: a wait that grew beyond what the caller has left ends then, without a call", async () => {
  const clock = new ManualClock();
  const throttle = throttleOf(clock, { perSecond: 1, burst: 1 });
  const { take, order } = taker(throttle);
  await take("first");
  void take("hasty", { lane: "reports", maxWaitMs: 1_500 });
  for (let index = 0; index < 10; index += 1) void take("more", { lane: "agents" });
  for (let index = 0; index < 10; index += 1) void take("new", { lane: "users", standing: "new" });
  await clock.elapse(1_500);
  expect(order).toContain("hasty: main_application_unavailable");
  await clock.elapse(100_000);
  expect(order).not.toContain("hasty");
  expect(throttle.waiting).toBe(0);
  clock.assertIdle();
});

test("XB2: a caller that became suspect while it waited costs no turn", async () => {
  const clock = new ManualClock();
  const { take, order } = taker(throttleOf(clock, { perSecond: 1, burst: 1 }));
  await take("first");
  const onTurn = (): Fault => new Fault("rate_limited", "no");
  for (let index = 0; index < 10; index += 1) void take("bad", { onTurn });
  void take("good");
  await clock.elapse(1_000);
  expect(order).toEqual(["first", "bad: rate_limited", "good"]);
  await clock.elapse(1_000);
  expect(order.filter((entry) => entry === "bad: rate_limited")).toHaveLength(10);
});

test("XB2: callers from addresses that showed nothing bad go before suspect ones", async () => {
  const clock = new ManualClock();
  const { take, order } = taker(throttleOf(clock, { perSecond: 10, burst: 1 }));
  await take("first");
  for (let index = 0; index < 20; index += 1) void take("suspect", { standing: "suspect" });
  void take("new", { standing: "new" });
  await clock.elapse(1_000);
  expect(order.slice(0, 2)).toEqual(["first", "new"]);
  expect(order).toContain("suspect");
});

test("a clock that is set back stops no caller for longer than one turn", async () => {
  const clock = new ManualClock(1_800_000_000_000);
  let offsetMs = 0;
  const jumping = { now: () => clock.now() + offsetMs, after: (delayMs: number, action: () => void) => clock.after(delayMs, action) };
  const busy = { reason: "main_application_unavailable", message: "busy" } as const;
  const throttle = new FairThrottle<Lane>({ clock: jumping, rate: { perSecond: 10, burst: 1 }, lanes: LANES, busy });
  const { take, order } = taker(throttle);
  await take("first");
  void take("second");
  offsetMs = -3_600_000;
  await clock.elapse(300);
  expect(order).toEqual(["first", "second"]);
});

test("KB4: never more than the burst and the rate, and each caller gets a result, with any arrivals, cancellations and rejections", async () => {
  const arrival = fc.record({
    afterMs: fc.nat(400),
    lane: fc.constantFrom<Lane>("agents", "users", "reports"),
    standing: fc.constantFrom("known" as const, "new" as const, "suspect" as const),
    flow: fc.constantFrom("a", "b", "c"),
    maxWaitMs: fc.constantFrom(0, 300, 2_000, 20_000),
    leavesAfterMs: fc.option(fc.nat(1_000)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(arrival, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), async (arrivals, burst) => {
      const clock = new ManualClock();
      const throttle = throttleOf(clock, { perSecond: 5, burst });
      const startMs = clock.now();
      const grantsMs: number[] = [];
      let heard = 0;
      for (const { afterMs, leavesAfterMs, ...turn } of arrivals) {
        const left = new AbortController();
        if (leavesAfterMs !== null) clock.after(leavesAfterMs, () => left.abort());
        const hear = (): void => void (heard += 1);
        void throttle.take({ ...turn, signal: left.signal }).then(() => (hear(), grantsMs.push(clock.now())), hear);
        clock.advance(afterMs);
        await Promise.resolve();
      }
      clock.advance(100_000);
      await settle();
      expect(heard).toBe(arrivals.length);
      expect(throttle.waiting).toBe(0);
      clock.assertIdle();
      for (const [index, atMs] of grantsMs.entries()) expect(index + 1).toBeLessThanOrEqual(burst + ((atMs - startMs) * 5) / 1_000 + 0.01);
    }),
    { numRuns: 60 },
  );
});
