import { Fault, type FaultReason } from "@binnacle/rpc";
import { ManualClock, settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { AddressQueue } from "./address-queue.ts";

const NEVER = new AbortController().signal;

/** A queue whose address may do one thing every two seconds. */
function world() {
  const clock = new ManualClock();
  let nextMs = clock.now() + 2_000;
  const heard: string[] = [];
  const queue = new AddressQueue({
    clock,
    waitMs: () => Math.max(0, nextMs - clock.now()),
    refusal: () => new Fault("rate_limited", "too many"),
  });
  const wait = (name: string, maxWaitMs = 5_000, signal = NEVER): Promise<FaultReason | "ok"> =>
    queue
      .wait("a", {
        maxWaitMs,
        signal,
        take: () => {
          nextMs = clock.now() + 2_000;
          heard.push(name);
        },
      })
      .then(
        () => "ok" as const,
        (error: unknown) => (error instanceof Fault ? error.reason : "internal"),
      );
  return { clock, heard, wait };
}

test("the newest has each turn; the others are refused when their time is over", async () => {
  const { clock, heard, wait } = world();
  const all = ["first", "second", "third", "fourth"].map((name) => wait(name));
  await clock.elapse(5_000);
  expect(heard).toEqual(["fourth", "third"]);
  expect(await Promise.all(all)).toEqual(["rate_limited", "rate_limited", "ok", "ok"]);
  clock.assertIdle();
});

test("who could only wait in vain is refused at once", async () => {
  const { clock, wait } = world();
  expect(await wait("hurried", 1_999)).toBe("rate_limited");
  clock.assertIdle();
});

test("of more than may wait the oldest is refused", async () => {
  const { clock, wait } = world();
  const outcomes: Record<string, string> = {};
  for (let index = 0; index < 34; index += 1) void wait(String(index)).then((outcome) => (outcomes[index] = outcome));
  await settle();
  expect(outcomes).toEqual({ 0: "rate_limited", 1: "rate_limited" });
  await clock.elapse(5_000);
  clock.assertIdle();
});

test("a caller that cancels gives up its place", async () => {
  const { clock, heard, wait } = world();
  const left = new AbortController();
  const leaving = wait("leaving", 5_000, left.signal);
  const staying = wait("staying");
  left.abort();
  expect(await leaving).toBe("cancelled");
  await clock.elapse(2_000);
  expect([await staying, heard]).toEqual(["ok", ["staying"]]);
  expect(await wait("gone", 5_000, left.signal)).toBe("cancelled");
  clock.assertIdle();
});
