import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { SessionStreams } from "./session-streams.ts";

const SESSION = { id: "one", expiresAtMs: 0, keyId: "k" };
let clock: ManualClock;
let good: Set<string>;
let over: string[];
let streams: SessionStreams;
beforeEach(() => {
  clock = new ManualClock();
  good = new Set(["one", "two"]);
  over = [];
  streams = new SessionStreams({ clock, isGood: ({ id }) => good.has(id), over: (id) => void over.push(id) });
});

test("XM5: a sign-out ends every call of its session at once, and no other", () => {
  const [first, second, other] = [streams.tie(SESSION), streams.tie(SESSION), streams.tie({ ...SESSION, id: "two" })];
  streams.end("one");
  expect([first.signal.aborted, second.signal.aborted, other.signal.aborted]).toEqual([true, true, false]);
  expect(over).toEqual(["one"]);
});

test("T23: a session that is good no longer, for its time or its key, ends within 30 s", () => {
  const [tie, other] = [streams.tie(SESSION), streams.tie({ ...SESSION, id: "two" })];
  clock.advance(60_000);
  expect(tie.signal.aborted).toBe(false);
  good.delete("one");
  clock.advance(30_000);
  expect([tie.signal.aborted, other.signal.aborted, over]).toEqual([true, false, ["one"]]);
});

test("without a running call nothing is held and no timer runs", () => {
  const ties = [streams.tie(SESSION), streams.tie(SESSION), streams.tie({ ...SESSION, id: "two" })];
  for (const tie of ties) tie.untie();
  expect(streams.size).toBe(0);
  clock.assertIdle();
  streams.tie(SESSION);
  streams.end("one");
  clock.assertIdle();
});
