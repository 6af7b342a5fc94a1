import { expect, test } from "vitest";

import { madeUpUsage } from "./made-up-usage.ts";

const AT_MS = 1_800_000_000_000;

test("numbers are the same at the same moment, others for others, and never less than nothing", () => {
  expect(madeUpUsage("a/b/c", AT_MS)).toEqual(madeUpUsage("a/b/c", AT_MS));
  expect(madeUpUsage("a/b/c", AT_MS)).not.toEqual(madeUpUsage("a/b/d", AT_MS));
  for (let at = 0; at < 5_000; at += 13) {
    const { cores, bytes } = madeUpUsage("a/b/c", AT_MS + at * 1_000);
    expect(Math.min(cores, bytes)).toBeGreaterThan(0);
  }
});

test("CPU time grows by what is used", () => {
  const [before, after] = [AT_MS, AT_MS + 1_000].map((atMs) => madeUpUsage("a/b/c", atMs));
  expect((after?.coreSeconds ?? 0) - (before?.coreSeconds ?? 0)).toBeCloseTo(madeUpUsage("a/b/c", AT_MS + 500).cores, 5);
});
