import { create } from "@bufbuild/protobuf";
import { EnvironmentHealthSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { healthCounts, healthSentence, isHealthKnown, totalsSentence } from "./summary-words.ts";

const { HEALTHY, DEGRADED, PROGRESSING } = HealthStatus;

test("says the worst first, then the rest, then what is not visible", () => {
  const health = create(EnvironmentHealthSchema, {
    status: DEGRADED,
    partial: true,
    hidden: ["widgets.example.com"],
    counts: [
      { status: HEALTHY, count: 6 },
      { status: DEGRADED, count: 2 },
      { status: PROGRESSING, count: 1 },
    ],
  });
  expect(healthSentence(health, 0)).toEqual({
    main: "2 of 9 checked resources are degraded.",
    rest: "1 more is rolling out. Not everything is visible to you.",
  });
  expect(healthCounts(health)).toBe("2 of 9");
});

test("all healthy is said as such", () => {
  const health = create(EnvironmentHealthSchema, { status: HEALTHY, counts: [{ status: HEALTHY, count: 4 }] });
  expect(healthSentence(health, 0).main).toBe("All 4 checked resources are healthy.");
});

test.each([
  [HealthStatus.HEALTHY, false],
  [HealthStatus.UNSPECIFIED, false],
  [HealthStatus.PROGRESSING, true],
  [HealthStatus.DEGRADED, true],
])("US6: half of the kinds can say that something is wrong, never that nothing is (%i)", (status, known) => {
  const health = create(EnvironmentHealthSchema, { status });
  expect(isHealthKnown({ health, complete: false })).toBe(known);
  expect(isHealthKnown({ health, complete: true })).toBe(true);
  expect(isHealthKnown({ complete: true })).toBe(false);
});

test("ux-3: headline, table and tab count parts of one total, which the summary explains", () => {
  const health = create(EnvironmentHealthSchema, { counts: [{ status: HEALTHY, count: 11 }, { status: DEGRADED, count: 2 }] }); // prettier-ignore
  expect(totalsSentence(health, { resources: 72, workloads: 16 })).toBe(
    "72 resources in all: 13 are checked, each together with what belongs to it; 16 are workloads.",
  );
  expect(totalsSentence(create(EnvironmentHealthSchema), { resources: 3, workloads: 0 })).toBe("");
});
