import { expect, test } from "vitest";

import type { Inventory } from "../inventory/inventory.ts";
import { Turns } from "../manifests/turns.ts";
import { DEFAULT_OPTIONS, EMPTY_INVENTORY } from "../testing/sync-made.ts";
import { appliedMark, changedFields, driftReport, isApplied } from "./drift.ts";
import type { ObjectResult } from "./object-result.ts";
import type { SyncOptions } from "./sync-options.ts";

const OPTIONS: SyncOptions = { ...DEFAULT_OPTIONS, drift: "show" };

const KEY = { group: "", kind: "ConfigMap", namespace: "shop", name: "a" };

interface Over {
  readonly commitId?: string;
  readonly options?: Partial<SyncOptions>;
  readonly inventory?: Partial<Inventory>;
}

const subject = (over: Over = {}) => ({
  commit: { commitId: over.commitId ?? "c1", projectId: 7n, files: [] },
  options: { ...OPTIONS, ...over.options },
  inventory: { ...EMPTY_INVENTORY, ...over.inventory },
});

test("the same commit, options and words are nothing to do but to look", () => {
  const applied = appliedMark(subject());
  expect(isApplied(subject({ inventory: { applied } }))).toBe(true);
  expect(isApplied(subject())).toBe(false);
  // A mark of a release that knew no limit.
  expect(isApplied(subject({ options: { maxObjects: 10 }, inventory: { applied } }))).toBe(true);
});

test.each<[string, Over]>([
  ["another commit", { commitId: "c2" }],
  ["another option", { options: { forceConflicts: true } }],
  ["a requested sync", { inventory: { word: "now" } }],
])("%s is a sync that changes the cluster", (_, over) => {
  const applied = appliedMark(subject());
  expect(isApplied(subject({ ...over, inventory: { ...over.inventory, applied } }))).toBe(false);
});

test("where drift is corrected there is no mark, and none counts", () => {
  const options = { drift: "correct" } as const;
  expect(appliedMark(subject({ options }))).toBe("");
  expect(isApplied(subject({ options }))).toBe(false);
  expect(isApplied(subject({ options, inventory: { applied: appliedMark(subject()) } }))).toBe(false);
});

test.each([
  [["unchanged", "unchanged"], "synced"],
  [["unchanged", "drifted"], "drifted"],
  [["failed", "drifted"], "failed"],
] as const)("of %j the report says %s", async (outcomes, state) => {
  const results = outcomes.map((outcome): ObjectResult => ({ key: KEY, outcome, reason: "", source: "a", line: 1, fieldLine: 0 }));
  const read = { inventory: EMPTY_INVENTORY, waves: [], errors: [] };
  expect((await driftReport({ ...subject(), read, turns: new Turns() }, results)).state).toBe(state);
});

test("what cannot be read any more is a failure, whatever has drifted", async () => {
  const read = { inventory: EMPTY_INVENTORY, waves: [], errors: [{ source: "a", line: 1, message: "no such kind" }] };
  expect((await driftReport({ ...subject(), read, turns: new Turns() }, [])).state).toBe("failed");
});

test.each<readonly [what: string, values: readonly [before: unknown, after: unknown], fields: readonly string[]]>([
  ["nothing", [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2 }] } }], []],
  ["a value", [{ spec: { replicas: 3 } }, { spec: { replicas: 1 } }], [".spec.replicas"]],
  ["a field that is gone, and one that came", [{ data: { a: "1" } }, { data: { b: "1" } }], [".data.a", ".data.b"]],
  [
    "an item of a list",
    [{ spec: { containers: [{ image: "a" }] } }, { spec: { containers: [{ image: "b" }] } }],
    [".spec.containers[0].image"],
  ],
  ["a list that became longer", [{ l: [1] }, { l: [1, 2] }], [".l"]],
  ["a name with a dot", [{ labels: { "a.b/c": 1 } }, { labels: { "a.b/c": 2 } }], ['.labels["a.b/c"]']],
  ["a kind of value", [{ a: [] }, { a: {} }], [".a"]],
  [
    "at most the requested number",
    [
      { a: 1, b: 1, c: 1, d: 1 },
      { a: 2, b: 2, c: 2, d: 2 },
    ],
    [".a", ".b", ".c"],
  ],
])("%s", (_, [before, after], expected) => {
  expect(changedFields(before, after, 3)).toEqual(expected);
});
