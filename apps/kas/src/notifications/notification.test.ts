import { create } from "@bufbuild/protobuf";
import { GitopsSyncSchema, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { expect, test } from "vitest";

import { syncNotificationOf } from "./notification.ts";

const CANARY = "canary-7c1f";
const report = (state: GitopsSyncState, commitId = "a".repeat(40)) =>
  create(GitopsSyncSchema, {
    project: CANARY,
    projectId: 5n,
    commitId,
    state,
    reason: CANARY,
    branch: CANARY,
    pruneHeld: CANARY,
    namespaces: [CANARY],
    globs: [CANARY],
    inventoryName: CANARY,
    objects: 4,
    failed: 1,
    drifted: 2,
  });

test("T38: the notification of a sync has ids, a status and counts, and no text of the cluster or of Git", () => {
  const sent = syncNotificationOf(7n, report(GitopsSyncState.FAILED), 0);
  expect(sent).toEqual({
    version: 1,
    id: expect.stringMatching(/^[\w-]{43}$/) as string,
    type: "sync_finished",
    occurred_at: "1970-01-01T00:00:00.000Z",
    agent_id: 7,
    manifest_project_id: 5,
    commit_id: "a".repeat(40),
    status: "failed",
    objects: 4,
    failed: 1,
    drifted: 2,
  });
  expect(JSON.stringify(sent)).not.toContain(CANARY);
});

test("T38: a commit that an agent made up is not sent", () => {
  expect(syncNotificationOf(7n, report(GitopsSyncState.SYNCED, CANARY), 0)).toMatchObject({ commit_id: null });
});

test("a sync that runs or is paused has not finished", () => {
  for (const state of [GitopsSyncState.APPLYING, GitopsSyncState.PAUSED, GitopsSyncState.UNSPECIFIED])
    expect(syncNotificationOf(7n, report(state), 0)).toBeUndefined();
});

test("the same end has the same id each time it is sent, and another state has another", () => {
  const id = (state: GitopsSyncState, atMs: number) => syncNotificationOf(7n, report(state), atMs)?.id;
  expect(id(GitopsSyncState.SYNCED, 1)).toBe(id(GitopsSyncState.SYNCED, 2));
  expect(id(GitopsSyncState.SYNCED, 1)).not.toBe(id(GitopsSyncState.FAILED, 1));
});
