import { expect, test } from "vitest";

import { APPLIED, formatLastApplied, LAST_APPLIED, lastAppliedOf, nextLastApplied } from "./last-applied.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");
const SYNC = { commitId: "b".repeat(40), isWhole: true, hasWritten: true, nowMs: NOW };
const BEFORE = { commitId: "a".repeat(40), atMs: NOW - 60_000 };

test("the first sync of a commit that brings all of it to the cluster is recorded with its time", () => {
  expect(nextLastApplied(BEFORE, SYNC)).toEqual({ commitId: SYNC.commitId, atMs: NOW });
  expect(nextLastApplied(undefined, SYNC)).toEqual({ commitId: SYNC.commitId, atMs: NOW });
  // Another commit of the same objects.
  expect(nextLastApplied(BEFORE, { ...SYNC, hasWritten: false })).toEqual({ commitId: SYNC.commitId, atMs: NOW });
});

test("a sync that failed in part, or one more of the same commit, records nothing new", () => {
  expect(nextLastApplied(BEFORE, { ...SYNC, isWhole: false })).toBeUndefined();
  expect(nextLastApplied(BEFORE, { ...SYNC, commitId: BEFORE.commitId })).toBeUndefined();
});

test("what another program has applied has no time", () => {
  expect(nextLastApplied(undefined, { ...SYNC, hasWritten: false })).toEqual({ commitId: SYNC.commitId, atMs: undefined });
});

test.each([
  ["commit and time", BEFORE],
  ["a commit alone", { commitId: BEFORE.commitId, atMs: undefined }],
])("%s are read as they were written", (_what, commit) => {
  expect(lastAppliedOf({ metadata: { annotations: { [LAST_APPLIED]: formatLastApplied(commit) } } })).toEqual(commit);
});

test("a value of another form is not known; an earlier release's mark has no time", () => {
  expect(lastAppliedOf({ metadata: { annotations: { [LAST_APPLIED]: "main, yesterday" } } })).toBeUndefined();
  expect(lastAppliedOf({ metadata: { annotations: { [APPLIED]: `${BEFORE.commitId} x` } } })).toEqual({
    commitId: BEFORE.commitId,
    atMs: undefined,
  });
  expect(lastAppliedOf({})).toBeUndefined();
});
