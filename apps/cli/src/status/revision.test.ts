import { DeliverySchema } from "@binnacle/proto/dashboard";
import { DeliveryState, GitopsState } from "@binnacle/proto/dashboard-enums";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import { isDeployed, revisionText } from "./revision.ts";

const SHA = "beef".padEnd(40, "2");
const OTHER = "cafe".padEnd(40, "3");
const { KNOWN, UNKNOWN } = DeliveryState;
const deployed = (init: MessageInitShape<typeof DeliverySchema>, sha = SHA): boolean => isDeployed(create(DeliverySchema, init), sha);

test("the last deployment of the main application says what runs", () => {
  expect(deployed({ lastDeployment: { state: KNOWN, value: { sha: SHA } } })).toBe(true);
  expect(deployed({ lastDeployment: { state: KNOWN, value: { sha: SHA } } }, SHA.slice(0, 7))).toBe(true);
  expect(deployed({ lastDeployment: { state: KNOWN, value: { sha: OTHER } } })).toBe(false);
  expect(isDeployed(undefined, SHA)).toBe(false);
});

test("what is only known as of an earlier time says nothing", () => {
  expect(deployed({ lastDeployment: { state: UNKNOWN, value: { sha: SHA } } })).toBe(false);
  expect(deployed({ lastDeployment: { state: KNOWN, value: { sha: SHA }, asOf: timestampFromMs(1) } })).toBe(false);
  expect(deployed({ sync: { state: UNKNOWN, value: { syncs: [{ state: GitopsState.SYNCED, appliedSha: SHA }] } } })).toBe(false);
  const tools = [{ state: GitopsState.SYNCED, sha: SHA, asOf: timestampFromMs(1) }];
  expect(deployed({ sync: { state: KNOWN, value: { tools } } })).toBe(false);
});

test("a sync counts once it has applied the commit as a whole, also where its id is a part", () => {
  const sync = (state: GitopsState, appliedSha: string, sha = appliedSha) =>
    deployed({ sync: { state: KNOWN, value: { syncs: [{ state, appliedSha, sha }] } } });
  expect(sync(GitopsState.SYNCED, SHA.slice(0, 8))).toBe(true);
  expect(sync(GitopsState.APPLYING, SHA)).toBe(false);
  expect(sync(GitopsState.FAILED, SHA)).toBe(false);
  expect(sync(GitopsState.SYNCED, OTHER, SHA)).toBe(false);
  expect(sync(GitopsState.SYNCED, "", "")).toBe(false);
  expect(deployed({ sync: { state: KNOWN, value: { tools: [{ state: GitopsState.SYNCED, sha: SHA }] } } })).toBe(true);
  expect(deployed({ sync: { state: KNOWN, value: { tools: [{ state: GitopsState.OUT_OF_SYNC, sha: SHA }] } } })).toBe(false);
});

test("a revision is an id of a commit, or its beginning", () => {
  expect(revisionText(SHA.toUpperCase())).toBe(SHA);
  for (const text of ["", "main", "beef22", "beef 222", `${SHA}${SHA}`])
    expect(() => revisionText(text)).toThrow("--revision is the id of a commit");
});
