import { GitopsSchema, GitopsSourceProblem, GitopsState, GitopsSyncSchema, type Gitops, type GitopsSync } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import {
  consentCommand,
  courseWords,
  knownAtMs,
  nextLookWords,
  objectsWords,
  pauseCommand,
  sourceSentence,
  syncLook,
  syncNowCommand,
  worstSync,
} from "./sync-words.ts";

function sync(fields: MessageInitShape<typeof GitopsSyncSchema>): GitopsSync {
  return create(GitopsSyncSchema, { project: "group/manifests", objects: 5, ...fields });
}

function gitops(...syncs: GitopsSync[]): Gitops {
  return create(GitopsSchema, { syncs });
}

test("each state has its own word and look, and an unknown one is shown as not known", () => {
  const shown = Object.values(GitopsState).map((state) => syncLook(sync({ state })).word);
  expect(new Set(shown).size).toBe(Object.values(GitopsState).length);
  expect(syncLook(sync({ state: 99 as GitopsState }))).toMatchObject({ word: "Not known", look: "unknown" });
});

test("the progress of an apply is shown where it is known, and never above 100 %", () => {
  expect(syncLook(sync({ state: GitopsState.APPLYING })).word).toBe("Applying");
  expect(syncLook(sync({ state: GitopsState.APPLYING, settled: 2 })).word).toBe("Applying 2 of 5");
  expect(syncLook(sync({ state: GitopsState.APPLYING, settled: 7 })).word).toBe("Applying 5 of 5");
});

test("a sync with failed objects is never called synced, and a held prune is shown", () => {
  expect(syncLook(sync({ state: GitopsState.SYNCED, failed: 1 }))).toMatchObject({ word: "Failed", detail: "1 of 5 objects" });
  expect(syncLook(sync({ state: GitopsState.SYNCED, drifted: 2 }))).toMatchObject({ word: "Out of sync", detail: "2 objects" });
  expect(syncLook(sync({ state: GitopsState.SYNCED, pruneHeld: "all of it" }))).toMatchObject({ word: "Synced", detail: "prune held" });
});

test("an unreadable source is shown, and the sync then has no healthy color", () => {
  const gone = sync({ state: GitopsState.SYNCED, sourceProblem: GitopsSourceProblem.NO_COMMIT });
  expect(syncLook(gone)).toEqual({ word: "Synced", look: "missing", detail: "branch is gone" });
  expect(sourceSentence(gone)).toContain("Nothing is pruned");
  const failed = sync({ state: GitopsState.FAILED, failed: 1, sourceProblem: GitopsSourceProblem.UNREADABLE });
  expect(syncLook(failed)).toEqual({ word: "Failed", look: "degraded", detail: "repository cannot be read" });
  const well = sync({ state: GitopsState.SYNCED });
  expect(sourceSentence(well)).toBe("");
  expect(worstSync(gitops(well, gone))).toBe(gone);
});

test("drift is shown with the number of objects", () => {
  const drifted = sync({ state: GitopsState.OUT_OF_SYNC, drifted: 2 });
  expect(syncLook(drifted)).toMatchObject({ word: "Out of sync", look: "missing", detail: "2 objects" });
  expect(worstSync(gitops(sync({ state: GitopsState.PAUSED }), drifted))).toBe(drifted);
  expect(worstSync(gitops(drifted, sync({ state: GitopsState.FAILED })))).not.toBe(drifted);
});

test("the worst of several is the one to show", () => {
  const synced = sync({ state: GitopsState.SYNCED });
  const held = sync({ state: GitopsState.SYNCED, pruneHeld: "all of it" });
  const unknown = sync({ state: 99 as GitopsState });
  const failed = sync({ state: GitopsState.FAILED });
  expect(worstSync(gitops())).toBeUndefined();
  expect(worstSync(gitops(synced, held))).toBe(held);
  expect(worstSync(gitops(held, unknown, synced))).toBe(unknown);
  expect(worstSync(gitops(unknown, synced, failed))).toBe(failed);
});

test("a sync is no newer than its agent's report, nor than the last answer", () => {
  const reported = sync({ reportedAt: timestampFromMs(5_000) });
  expect(knownAtMs({}, reported)).toBe(5_000);
  expect(knownAtMs({ asOf: timestampFromMs(3_000) }, reported)).toBe(3_000);
  expect(knownAtMs({}, sync({}))).toBeUndefined();
});

test("consent is a command only with the whole commit and a name that no shell reads anything into", () => {
  const whole = { sha: "a".repeat(40), inventoryNamespace: "prod", inventoryName: "inventory-1" };
  expect(consentCommand(sync(whole))).toBe(
    `kubectl annotate configmap --namespace prod inventory-1 --overwrite gitops.binnacle/prune-consent=${whole.sha}`,
  );
  expect(consentCommand(sync({ ...whole, sha: "abcdef12" }))).toBeUndefined();
  expect(consentCommand(sync({ ...whole, inventoryName: "x; rm -rf ~" }))).toBeUndefined();
  expect(consentCommand(sync({ ...whole, inventoryNamespace: "" }))).toBeUndefined();
});

test("what is paused goes on, what is not is paused, and either only where the ConfigMap is known", () => {
  const known = { inventoryNamespace: "prod", inventoryName: "inventory-1" };
  const annotate = "kubectl annotate configmap --namespace prod inventory-1 --overwrite";
  expect(pauseCommand(sync({ ...known, state: GitopsState.SYNCED }))).toBe(`${annotate} gitops.binnacle/paused=true`);
  expect(pauseCommand(sync({ ...known, state: GitopsState.PAUSED }))).toBe(`${annotate} gitops.binnacle/paused-`);
  expect(syncNowCommand(sync(known))).toBe(`${annotate} gitops.binnacle/sync-requested="$(date +%s)"`);
  expect([pauseCommand(sync({})), syncNowCommand(sync({ ...known, inventoryName: "$(reboot)" }))]).toEqual([undefined, undefined]);
});

test("the duration of a sync is shown when both ends are known, and the number of waves when there were several", () => {
  const times = (tookMs: number) => ({ startedAt: timestampFromMs(1_000), finishedAt: timestampFromMs(1_000 + tookMs) });
  expect(courseWords(sync({ ...times(200), waves: 1 }))).toBe("took under a second");
  expect(courseWords(sync({ ...times(61_000), waves: 3 }))).toBe("took 1 min in 3 waves");
  expect(courseWords(sync({ startedAt: timestampFromMs(1_000), waves: 3 }))).toBe("");
});

test.each([
  [{ state: GitopsState.SYNCED, objects: 0 }, "0"],
  [{ state: GitopsState.APPLYING, objects: 4 }, "4"],
  [{ state: GitopsState.INVALID }, "17 applied from aaaaaaaa; bbbbbbbb refused"],
  [{ state: GitopsState.INVALID, sha: "" }, "17 applied from aaaaaaaa"],
  [{ state: GitopsState.INVALID, appliedObjects: undefined }, "Not known; bbbbbbbb refused"],
  // Too large, or broken off before its manifests were read.
  [{ state: GitopsState.FAILED }, "17 applied from aaaaaaaa; nothing of bbbbbbbb"],
  [{ state: GitopsState.FAILED, sha: "a".repeat(40) }, "17 applied from aaaaaaaa"],
  [{ state: GitopsState.FAILED, appliedSha: "" }, "Not known"],
  // A sync that has just begun.
  [{ state: GitopsState.APPLYING }, "17 applied from aaaaaaaa"],
  [{ state: GitopsState.UNSPECIFIED, outcomeUnknown: true, appliedObjects: undefined }, "Not known"],
])("B2: of manifests that were not read the objects are not counted: %o", (fields, words) => {
  const known = { objects: 0, sha: "b".repeat(40), appliedSha: "a".repeat(40), appliedObjects: 17 };
  expect(objectsWords(sync({ ...known, ...fields }))).toBe(words);
});

test("the time of the next poll is shown where it is known", () => {
  expect(nextLookWords(sync({ pollPeriod: durationFromMs(20_000) }))).toBe("within 20 s, at once after a push");
  expect(nextLookWords(sync({}))).toBe("");
});
