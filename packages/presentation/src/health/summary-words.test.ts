import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  Activity,
  ActivityCountSchema,
  DeliverySchema,
  EnvironmentHealthSchema,
  GitopsState,
  HealthCountSchema,
  HealthStatus,
  type Delivery,
  type GitopsSyncSchema,
} from "@binnacle/proto/dashboard";
import { describe, expect, test } from "vitest";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { headlineOf, healthCounts, isHealthKnown, totalsSentence } from "./summary-words.ts";
import { withSyncIssues } from "./with-sync-issues.ts";

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
  expect(headlineOf(health, undefined, 0)).toMatchObject({
    main: "2 of 9 checked resources are degraded.",
    rest: "1 more is in progress. Not everything is visible to you.",
  });
  expect(healthCounts(health)).toBe("2 of 9");
});

test("a summary without problems states that all is healthy", () => {
  const health = create(EnvironmentHealthSchema, { status: HEALTHY, counts: [{ status: HEALTHY, count: 4 }] });
  expect(headlineOf(health, undefined, 0).main).toBe("All 4 checked resources are healthy.");
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
    const { main, rest } = headlineOf(create(EnvironmentHealthSchema, { status, counts: all, activities: done }), undefined, 0);
    return [main, rest].filter((part) => part !== "").join(" ");
  };
  const lost = { status: DEGRADED, activity: Activity.NOT_READY, count: 3, nodes: ["bench-1"] };

  test("S1: a lost node is named, and waiting pods are not described as rolling out", () => {
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

  test("S1: a resource with only a status gets no further text", () => {
    const wrong = { status: PROGRESSING, activity: Activity.ROLLING_OUT, count: 9 };
    for (const activities of [[], [wrong]]) {
      expect(sentenceOf(PROGRESSING, [[PROGRESSING, 2]], activities)).toBe("2 of 2 checked resources are in progress.");
    }
  });
});

describe("ux-3: the headline says both how the resources are and what is not deployed", () => {
  const healthy = create(EnvironmentHealthSchema, { status: HEALTHY, counts: [{ status: HEALTHY, count: 13 }] });
  const broken = create(EnvironmentHealthSchema, {
    status: DEGRADED,
    counts: [
      { status: HEALTHY, count: 7 },
      { status: DEGRADED, count: 2 },
    ],
  });
  const delivery = (reason: string, sync: MessageInitShape<typeof GitopsSyncSchema> = {}, over: object = {}) => {
    const issue = { key: JSON.stringify(["sync", "p", reason]), reason, status: DEGRADED, ...over };
    return create(DeliverySchema, { sync: { value: { syncs: [sync] } }, issues: [issue] });
  };
  const { INVALID, FAILED } = GitopsState;

  test.each<[string, Delivery, string]>([
    [
      "two commits wait behind a refused one",
      delivery("SyncRefused", { state: INVALID, waitingCommits: 2 }),
      "; the last 2 commits are not deployed.",
    ],
    ["one waits", delivery("SyncRefused", { state: INVALID, waitingCommits: 1 }), "; the last commit is not deployed."],
    [
      "more wait than are counted",
      delivery("SyncRefused", { state: INVALID, waitingCommits: 100, moreWaiting: true }),
      "; more than 100 commits are not deployed.",
    ],
    ["how many wait is not known", delivery("SyncRefused", { state: INVALID }), "; the last commit was refused."],
    ["a sync failed", delivery("SyncFailed", { state: FAILED }), "; the last sync failed."],
    [
      "a sync failed and commits wait",
      delivery("SyncFailed", { state: FAILED, waitingCommits: 3 }),
      "; the last sync failed, the last 3 commits are not deployed.",
    ],
    ["a prune is held", delivery("PruneHeld", {}, { notice: true }), "; a prune is held back."],
    ["the branch is gone", delivery("SourceUnavailable", {}, { notice: true }), "; newer commits cannot be read."],
    [
      "it is what was known last",
      delivery("SyncFailed", { state: FAILED }, { words: toWordsMessage(words("sync-issue/last-known", { what: "x" })) }),
      "; last known: the last sync failed.",
    ],
    ["nothing is wrong", create(DeliverySchema), "."],
    ["an issue of a newer server is not understood", delivery("Other"), "."],
  ])("%s", (_title, value, end) => {
    expect(headlineOf(withSyncIssues(healthy, value), value, 0)).toMatchObject({
      main: `All 13 checked resources are healthy${end}`,
      rest: "",
    });
    expect(headlineOf(broken, value, 0).main).toBe(`2 of 9 checked resources are degraded${end}`);
  });

  test("the colour is that of the worse of both", () => {
    const refused = delivery("SyncRefused", { state: INVALID });
    expect(headlineOf(healthy, refused, 0).look).toBe("degraded");
    expect(headlineOf(healthy, delivery("PruneHeld", {}, { notice: true }), 0).look).toBe("healthy");
    expect(headlineOf(healthy, undefined, 0).look).toBe("healthy");
    expect(headlineOf(broken, undefined, 0).look).toBe("degraded");
  });

  test("issues of resources beside a failed sync are counted, and the sync is not counted with them", () => {
    const noticed = create(EnvironmentHealthSchema, {
      status: HEALTHY,
      issues: [{ key: "a", notice: true }],
      issuesTotal: 1,
      counts: [{ status: HEALTHY, count: 13 }],
    });
    const value = delivery("SyncFailed", { state: FAILED });
    expect(headlineOf(withSyncIssues(noticed, value), value, 0).rest).toBe("1 issue beside that.");
  });
});
