import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { AgentAbsences, type UpstreamState } from "./agent-absences.ts";

/** What is known after these words, each so many seconds after the last, of the time since the last one. */
function sinceOf(...words: readonly (readonly [seconds: number, word: UpstreamState])[]): number | undefined {
  const clock = new ManualClock();
  const startMs = clock.now();
  const absences = new AgentAbsences(clock);
  for (const [seconds, word] of words) {
    clock.advance(seconds * 1_000);
    absences.hear(3n, word);
  }
  const last = words.at(-1)?.[1] ?? "answered";
  expect(absences.sinceMs(4n, last)).toBeUndefined();
  const sinceMs = absences.sinceMs(3n, last);
  return sinceMs === undefined ? undefined : (sinceMs - startMs) / 1_000;
}

test("US5: an agent is away since it was heard of last, when that was a moment before", () => {
  expect(sinceOf([0, "answered"], [10, "answered"], [20, "agent_offline"], [5, "agent_offline"])).toBe(10);
});

test("US5: an agent that was unavailable at the first request has no known time", () => {
  expect(sinceOf([0, "agent_offline"], [5, "agent_offline"])).toBeUndefined();
  expect(sinceOf([0, "answered"], [7_200, "agent_offline"], [5, "agent_offline"])).toBeUndefined();
});

test("US5: an agent without requests for long may have been back meanwhile", () => {
  expect(sinceOf([0, "answered"], [20, "agent_offline"], [7_200, "agent_offline"])).toBeUndefined();
});

test("US5: an agent goes after the API server behind it has gone, each at its own time", () => {
  expect(sinceOf([0, "answered"], [10, "api_down"], [10, "api_down"])).toBe(0);
  expect(sinceOf([0, "answered"], [10, "api_down"], [10, "api_down"], [20, "agent_offline"])).toBe(20);
});

test("US5: a clock that jumps back or forth gives no time that was not observed", () => {
  expect(sinceOf([0, "answered"], [-7_200, "agent_offline"])).toBeUndefined();
  expect(sinceOf([0, "answered"], [10, "agent_offline"], [3_600, "agent_offline"], [5, "agent_offline"])).toBeUndefined();
});
