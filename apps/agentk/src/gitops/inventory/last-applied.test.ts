import { expect, test } from "vitest";

import { APPLIED, APPLIED_OBJECTS, LAST_APPLIED, lastAppliedAnnotations, lastAppliedOf, nextLastApplied } from "./last-applied.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");
const SYNC = { commitId: "b".repeat(40), isWhole: true, hasWritten: true, objects: 3, nowMs: NOW };
const BEFORE = { commitId: "a".repeat(40), atMs: NOW - 60_000, objects: 3 };

test("the first sync of a commit that brings all of it to the cluster is recorded with its time", () => {
  expect(nextLastApplied(BEFORE, SYNC)).toEqual({ commitId: SYNC.commitId, atMs: NOW, objects: 3 });
  expect(nextLastApplied(undefined, SYNC)).toEqual({ commitId: SYNC.commitId, atMs: NOW, objects: 3 });
  // Another commit of the same objects.
  expect(nextLastApplied(BEFORE, { ...SYNC, hasWritten: false })).toEqual({ commitId: SYNC.commitId, atMs: NOW, objects: 3 });
});

test("a sync that failed in part, or one more of the same commit, records nothing new", () => {
  expect(nextLastApplied(BEFORE, { ...SYNC, isWhole: false })).toBeUndefined();
  expect(nextLastApplied(BEFORE, { ...SYNC, commitId: BEFORE.commitId })).toBeUndefined();
});

test("a count of objects that was not recorded is added without another time, and one of another commit is not taken for it", () => {
  const { commitId, atMs } = BEFORE;
  expect(nextLastApplied({ commitId, atMs }, { ...SYNC, commitId })).toEqual(BEFORE);
  const annotations = { ...lastAppliedAnnotations(BEFORE), [APPLIED_OBJECTS]: `${SYNC.commitId} 7` };
  expect(lastAppliedOf({ metadata: { annotations } })).toEqual({ commitId, atMs });
});

test("what another program has applied has no time", () => {
  expect(nextLastApplied(undefined, { ...SYNC, hasWritten: false })).toEqual({ commitId: SYNC.commitId, atMs: undefined, objects: 3 });
});

test.each([
  ["commit, time and count of objects", BEFORE],
  ["commit and time", { commitId: BEFORE.commitId, atMs: NOW }],
  ["a commit alone", { commitId: BEFORE.commitId, atMs: undefined }],
])("%s are read as they were written", (_what, commit) => {
  expect(lastAppliedOf({ metadata: { annotations: lastAppliedAnnotations(commit) } })).toEqual(commit);
});

test("a value of another form is not known; an earlier release's mark has no time", () => {
  expect(lastAppliedOf({ metadata: { annotations: { [LAST_APPLIED]: "main, yesterday" } } })).toBeUndefined();
  expect(lastAppliedOf({ metadata: { annotations: { [APPLIED]: `${BEFORE.commitId} x` } } })).toEqual({
    commitId: BEFORE.commitId,
    atMs: undefined,
  });
  expect(lastAppliedOf({})).toBeUndefined();
});
