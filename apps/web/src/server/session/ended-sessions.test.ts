import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { EndedSessions } from "./ended-sessions.ts";

test("an ended session is remembered until it would have expired", () => {
  const clock = new ManualClock();
  const ended = new EndedSessions(clock);
  ended.end({ id: "a", expiresAtMs: clock.now() + 1_000 });
  ended.end({ id: "gone already", expiresAtMs: clock.now() - 1 });
  expect([ended.has("a"), ended.has("b"), ended.has("gone already")]).toEqual([true, false, false]);
  clock.advance(1_001);
  expect(ended.has("a")).toBe(false);
});

test("T14: of very many the first is forgotten", () => {
  const clock = new ManualClock();
  const ended = new EndedSessions(clock);
  for (let index = 0; index <= 50_000; index += 1) ended.end({ id: String(index), expiresAtMs: clock.now() + 1_000 });
  expect([ended.has("0"), ended.has("1"), ended.has("50000")]).toEqual([false, true, true]);
});
