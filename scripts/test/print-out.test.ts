import { expect, test } from "vitest";

import { closingLines } from "./print-out.ts";
import type { TestResult } from "./report.ts";
import type { RunOutcome } from "./run-plan.ts";

const result = (title: string, seconds: number, more: Partial<TestResult> = {}): TestResult => ({
  file: "a.test.ts",
  titles: [title],
  status: "passed",
  seconds,
  messages: [],
  ...more,
});

const OUTCOME: RunOutcome = {
  passed: 3,
  failed: 1,
  failures: ["a.test.ts > broken"],
  flaky: [result("wavers", 1, { status: "failed", messages: ["first output"] })],
  notes: ["a note"],
  times: [
    { title: "integration tests", lane: 2, seconds: 9.6 },
    { title: "unit tests", lane: 1, seconds: 4.4 },
    { title: "build", lane: 1, seconds: 2 },
  ],
  secondRunSeconds: 3,
  results: [result("quick", 0.04), result("slow", 12.34)],
};

test("the end names times, the slowest tests, what did not run, failures, flaky tests and both counts, in this order", () => {
  expect(closingLines(OUTCOME, ["redis (not on PATH)"])).toEqual([
    "lane 1: 6 s (unit tests 4, build 2)",
    "lane 2: 10 s (integration tests 10)",
    "second run: 3 s",
    "slowest tests:",
    "   12.3 s  a.test.ts > slow",
    "    0.0 s  a.test.ts > quick",
    "not run: redis (not on PATH)",
    "a note",
    "failed: a.test.ts > broken",
    "flaky: a.test.ts > wavers\n  first output",
    "flaky: 1",
    "3 passed, 1 failed",
  ]);
});

test("of many tests the twenty slowest are named", () => {
  const results = Array.from({ length: 30 }, (_, index) => result(`test ${index}`, index));
  const named = closingLines({ ...OUTCOME, results }, []).filter((line) => line.includes("> test "));
  expect(named).toHaveLength(20);
  expect([named[0], named[19]]).toEqual([expect.stringContaining("test 29"), expect.stringContaining("test 10")]);
});
