import { GitopsState, GitopsSyncSchema, GitopsWish, type GitopsSync } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import { commitToConsent, isReported, intentText, type SyncIntent } from "./sync-intent.ts";

const SHA = "abcdef12".padEnd(40, "0");

type Fields = MessageInitShape<typeof GitopsSyncSchema>;

const HELD: Fields = { pruneHeld: "all of it" };

function sync(fields: Fields = {}): GitopsSync {
  return create(GitopsSyncSchema, { project: "group/manifests", sha: SHA, state: GitopsState.SYNCED, ...fields });
}

test("consent is offered for a whole commit of which something is held, and for nothing else", () => {
  expect(commitToConsent(sync(HELD))).toBe(SHA);
  expect(commitToConsent(sync())).toBeUndefined();
  expect(commitToConsent(sync({ ...HELD, sha: "abcdef12" }))).toBeUndefined();
});

test("a request is shown as requested, each kind in its own words", () => {
  const kinds = [GitopsWish.SYNC, GitopsWish.PAUSE, GitopsWish.RESUME, GitopsWish.CONSENT];
  const words = kinds.map((kind) => intentText({ kind, sync: sync() }));
  expect(words).toEqual(["Sync requested", "Pause requested", "Resume requested", "Consent to prune for abcdef12 given"]);
});

const [earlier, later] = [timestampFromMs(1_000), timestampFromMs(2_000)];

test.each<readonly [what: string, intent: SyncIntent, after: Fields]>([
  ["a pause until it is paused", { kind: GitopsWish.PAUSE, sync: sync() }, { state: GitopsState.PAUSED }],
  ["a resume until it is not", { kind: GitopsWish.RESUME, sync: sync({ state: GitopsState.PAUSED }) }, { state: GitopsState.SYNCED }],
  ["a consent until nothing is held", { kind: GitopsWish.CONSENT, sync: sync(HELD) }, {}],
  ["a consent until it is of another commit", { kind: GitopsWish.CONSENT, sync: sync(HELD) }, { ...HELD, sha: "1".repeat(40) }],
  ["a sync until one has ended", { kind: GitopsWish.SYNC, sync: sync({ finishedAt: earlier }) }, { finishedAt: later }],
  ["a sync until one has begun", { kind: GitopsWish.SYNC, sync: sync({ startedAt: earlier }) }, { startedAt: later }],
])("the page waits for the agent's report: %s", (_what, intent, after) => {
  expect(isReported(intent, { ...intent.sync, reportedAt: later })).toBe(false);
  expect(isReported(intent, sync(after))).toBe(true);
});
