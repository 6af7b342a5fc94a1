import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Activity, ActivityCountSchema, EnvironmentHealthSchema, HealthCountSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { describe, expect, test } from "vitest";
import { healthCounts, healthSentence, isHealthKnown, totalsSentence } from "./summary-words.ts";

const { HEALTHY, DEGRADED, PROGRESSING, MISSING } = HealthStatus;

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
    rest: "1 more is in progress. Not everything is visible to you.",
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

describe("S1: the headline says of resources in progress only what they do", () => {
  type Init = MessageInitShape<typeof ActivityCountSchema>;

  const sentenceOf = (status: HealthStatus, counts: readonly (readonly [HealthStatus, number])[], activities: readonly Init[]): string => {
    const all = counts.map(([each, count]) => create(HealthCountSchema, { status: each, count }));
    const done = activities.map((each) => create(ActivityCountSchema, each));
    const { main, rest } = healthSentence(create(EnvironmentHealthSchema, { status, counts: all, activities: done }), 0);
    return [main, rest].filter((part) => part !== "").join(" ");
  };
  const lost = { status: DEGRADED, activity: Activity.NOT_READY, count: 3, nodes: ["bench-1"] };

  test("S1: a lost node is named, and what waits is not said to be rolling out", () => {
    const waiting = { status: PROGRESSING, activity: Activity.WAITING, count: 2 };
    expect(
      sentenceOf(
        DEGRADED,
        [
          [HEALTHY, 8],
          [DEGRADED, 3],
          [PROGRESSING, 2],
        ],
        [lost, waiting],
      ),
    ).toBe("3 of 13 checked resources are not ready because of node bench-1. 2 more are waiting.");
  });

  test("S1: what is broken beside a lost node is counted with it", () => {
    expect(
      sentenceOf(
        DEGRADED,
        [
          [HEALTHY, 8],
          [DEGRADED, 5],
        ],
        [lost],
      ),
    ).toBe("5 of 13 checked resources are degraded (3 are not ready because of node bench-1).");
  });

  test("S1: of several activities each has its own number", () => {
    const activities = [
      { status: PROGRESSING, activity: Activity.ROLLING_OUT, count: 1 },
      { status: PROGRESSING, activity: Activity.WAITING, count: 2 },
      { status: PROGRESSING, activity: Activity.DELETING, count: 1 },
    ];
    expect(
      sentenceOf(
        PROGRESSING,
        [
          [HEALTHY, 8],
          [PROGRESSING, 4],
        ],
        activities,
      ),
    ).toBe("4 of 12 checked resources are in progress (1 is rolling out, 2 are waiting, 1 is being deleted).");
    expect(
      sentenceOf(
        MISSING,
        [
          [MISSING, 1],
          [PROGRESSING, 4],
        ],
        activities,
      ),
    ).toBe("1 of 5 checked resources is missing. 1 more is rolling out. 2 more are waiting. 1 more is being deleted.");
  });

  test("S1: of what nobody says more than its status, nothing more is said", () => {
    const wrong = { status: PROGRESSING, activity: Activity.ROLLING_OUT, count: 9 };
    for (const activities of [[], [wrong]]) {
      expect(sentenceOf(PROGRESSING, [[PROGRESSING, 2]], activities)).toBe("2 of 2 checked resources are in progress.");
    }
  });
});
