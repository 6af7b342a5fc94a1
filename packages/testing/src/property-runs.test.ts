import { afterEach, expect, test, vi } from "vitest";

import { propertyRuns } from "./property-runs.ts";

afterEach(() => void vi.unstubAllEnvs());

test("a property runs a quarter of its times in npm test, and never less than 25 times", () => {
  vi.stubEnv("PROPERTY_SEED", undefined);
  expect([400, 150, 60, 10].map(propertyRuns)).toEqual([100, 38, 25, 25]);
});

test("a property runs all of its times in npm run fuzz", () => {
  vi.stubEnv("PROPERTY_SEED", "7");
  expect([400, 150, 60].map(propertyRuns)).toEqual([400, 150, 60]);
});
