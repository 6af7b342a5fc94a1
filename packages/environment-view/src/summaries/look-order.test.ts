import { expect, test } from "vitest";

import { nextToLookAt, type Candidate } from "./namespace-looks.ts";

const NOW = 1_000_000_000;
const MINUTE = 60_000;

function candidate(key: string, ageMs?: number, visible = false): Candidate {
  return { key, lookedAtMs: ageMs === undefined ? undefined : NOW - ageMs, visible };
}

test("an unknown scope comes first, what is on a screen before the rest, in the order given", () => {
  const all = [candidate("old", 60 * MINUTE), candidate("a"), candidate("b"), candidate("seen", undefined, true)];
  expect(nextToLookAt(all, NOW)).toEqual({ key: "seen" });
  expect(nextToLookAt(all.slice(0, 3), NOW)).toEqual({ key: "a" });
});

test("W2: refreshing a screen does not delay unknown scopes", () => {
  expect(nextToLookAt([candidate("seen", 60 * MINUTE, true), candidate("a")], NOW)).toEqual({ key: "a" });
});

test("once all are known: what is on a screen and a minute old, then the oldest", () => {
  const all = [candidate("older", 10 * MINUTE), candidate("oldest", 20 * MINUTE), candidate("seen", 61_000, true)];
  expect(nextToLookAt(all, NOW)).toEqual({ key: "seen" });
  expect(nextToLookAt(all.slice(0, 2), NOW)).toEqual({ key: "oldest" });
});

test("when all are fresh it says when the next one is due", () => {
  expect(nextToLookAt([candidate("a", 10_000), candidate("b", 25_000)], NOW)).toEqual({ inMs: 5_000 });
  expect(nextToLookAt([], NOW)).toEqual({ inMs: 30_000 });
});

test("a clock that was set back by an hour delays no scope", () => {
  expect(nextToLookAt([candidate("future", -60 * MINUTE), candidate("a", 10_000)], NOW)).toEqual({ key: "future" });
});
