import { expect, test } from "vitest";

import { eventFactsOf } from "./event-facts.ts";
import { madeEvent } from "./made-event.ts";

const at = (ms: number | undefined): string => (ms === undefined ? "" : new Date(ms).toISOString());
const timesOf = (fields: Readonly<Record<string, unknown>>): readonly string[] => {
  const { firstMs, lastMs } = eventFactsOf(madeEvent("e", fields));
  return [at(firstMs), at(lastMs)];
};

test.each([
  ["old fields", { firstTimestamp: "2026-01-01T00:00:01Z", lastTimestamp: "2026-01-01T00:00:09Z", eventTime: null }, ["01", "09"]],
  ["a single one", { eventTime: "2026-01-01T00:00:05.123456Z", firstTimestamp: null, lastTimestamp: null }, ["05", "05"]],
  ["a series", { eventTime: "2026-01-01T00:00:02Z", series: { count: 3, lastObservedTime: "2026-01-01T00:00:08Z" } }, ["02", "08"]],
  [
    "a series with the old fields as well",
    {
      eventTime: "2026-01-01T00:00:02Z",
      lastTimestamp: "2026-01-01T00:00:07Z",
      series: { count: 3, lastObservedTime: "2026-01-01T00:00:08Z" },
    },
    ["02", "08"],
  ],
  [
    "the old fields of the new API",
    { deprecatedFirstTimestamp: "2026-01-01T00:00:03Z", deprecatedLastTimestamp: "2026-01-01T00:00:04Z" },
    ["03", "04"],
  ],
  ["nothing but when it was created", {}, ["00", "00"]],
  ["nonsense", { firstTimestamp: "yesterday", lastTimestamp: 7 }, ["00", "00"]],
])("the first and the last time are read from %s", (_, fields, [first, last]) => {
  expect(timesOf(fields).map((text) => text.slice(17, 19))).toEqual([first, last]);
});

test("what has no time at all has none", () => {
  expect(eventFactsOf(madeEvent("e", { metadata: { name: "e" } }))).toMatchObject({ firstMs: undefined, lastMs: undefined });
});

test.each([
  [{ series: { count: 5 }, count: 4, deprecatedCount: 3 }, 5],
  [{ count: 4, deprecatedCount: 3 }, 4],
  [{ deprecatedCount: 3 }, 3],
  [{}, 1],
  [{ series: { count: 0 } }, 1],
  [{ count: -7 }, 1],
  [{ count: 1e300 }, 1],
  [{ count: 2 ** 40 }, 2 ** 32 - 1],
])("of one Event its counts are of the same happenings: %j is %d", (fields, count) => {
  expect(eventFactsOf(madeEvent("e", fields)).count).toBe(count);
});

test("who reports is read wherever it stands, and a note is a message", () => {
  const note = { message: undefined, note: "it is noted", reportingController: "kubelet" };
  expect(eventFactsOf(madeEvent("e", note))).toMatchObject({ message: "it is noted", source: "kubelet" });
  expect(eventFactsOf(madeEvent("e", { source: { component: "scheduler" } })).source).toBe("scheduler");
  expect(eventFactsOf(madeEvent("e", { deprecatedSource: { component: "old" } })).source).toBe("old");
});

test("T9: what is long is cut, and what looks like a credential is masked", () => {
  const { message, reason } = eventFactsOf(
    madeEvent("e", { message: `pull https://ann:secretword@registry/x failed ${"x".repeat(5_000)}`, reason: "R".repeat(500) }),
  );
  expect(message).not.toContain("secretword");
  expect(message.length).toBeLessThanOrEqual(1_025);
  expect(reason).toHaveLength(128);
});
