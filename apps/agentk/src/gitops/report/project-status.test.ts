import { GRPC_CODE } from "@binnacle/grpc-wire";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { resultOf } from "../sync/object-result.ts";
import { emptyReport } from "../sync/sync-report.ts";
import { EMPTY_INVENTORY } from "../testing/sync-made.ts";
import { ProjectStatus } from "./project-status.ts";

let clock: ManualClock;
let changes: number;
let status: ProjectStatus;
beforeEach(() => {
  clock = new ManualClock();
  changes = 0;
  status = new ProjectStatus({ clock, defaultNamespace: "home", changed: () => void (changes += 1) });
});

const manifest = (name: string, namespace = "shop"): PlacedManifest => ({
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } },
  source: "a.yaml",
  line: 1,
  text: "",
  key: { group: "", kind: "ConfigMap", namespace, name },
  kind: { group: "", version: "v1", resource: "configmaps", namespaced: true },
});
const two = [manifest("a"), manifest("b", "back")];
const refused = {
  source: "b.yaml",
  line: 3,
  message: "no such kind",
  object: { group: "x", kind: "Boat", namespace: "shop", name: "b" },
};
const unread = { source: "c.yaml", line: 1, message: "quotes: canary" };

/** A sync of a commit that went well. */
function syncWell(commitId: string): void {
  status.begun(commitId);
  status.planned({ inventory: EMPTY_INVENTORY, manifests: two, errors: [] });
  const results = two.map((one) => resultOf(one, "applied"));
  for (const result of results) status.settled(result);
  status.ended({ ...emptyReport(commitId, "synced"), results, waves: 1 });
}

/** As people find it. */
const INVENTORY = { namespace: "shop", name: "inventory-5-7", id: "5-7" };

test("before kas has sent a commit nothing is said", () => {
  expect(status.now).toBeUndefined();
});

test("while a commit is applied it is told how far it is, and where its objects are", () => {
  status.begun("c1");
  expect(status.now).toMatchObject({ commitId: "c1", state: GitopsSyncState.APPLYING, objects: 0, namespaces: ["home"] });
  status.planned({ inventory: EMPTY_INVENTORY, manifests: two, errors: [refused, unread] });
  const [first] = two;
  status.settled(resultOf(first ?? manifest("a"), "failed", { reason: "denied", line: 4 }));
  expect(status.now).toMatchObject({ objects: 4, namespaces: ["back", "shop"], inventory: INVENTORY, finishedAtMs: undefined });
  expect(status.now?.results.map(({ key, reason, line }) => [key.name, reason, line])).toEqual([
    ["b", "no such kind", 3],
    ["", "a manifest cannot be read", 1],
    ["a", "denied", 4],
  ]);
  expect(changes).toBe(3);
});

test("the end of a sync says when, how many failed, and nothing when all is well", () => {
  syncWell("c1");
  expect(status.now).toMatchObject({ state: GitopsSyncState.SYNCED, reason: "", objects: 2, finishedAtMs: clock.now(), waves: 1 });
  status.begun("c2");
  status.ended({
    ...emptyReport("c2", "failed"),
    results: two.map((one) => resultOf(one, "failed", { reason: "denied" })),
    errors: [refused],
  });
  expect(status.now).toMatchObject({ state: GitopsSyncState.FAILED, reason: "3 of 3 objects failed", objects: 3 });
});

test("a commit that cannot be read belongs where the one before it did, and the file is named", () => {
  syncWell("c1");
  status.begun("c2");
  status.ended({ ...emptyReport("c2", "invalid"), errors: [refused, refused] });
  expect(status.now).toMatchObject({
    commitId: "c2",
    state: GitopsSyncState.INVALID,
    reason: "b.yaml:3: no such kind (and 1 more)",
    namespaces: ["back", "shop"],
    inventory: INVENTORY,
    objects: 0,
  });
});

test("the same commit once more is not told before its end, a new one or one that failed is", () => {
  syncWell("c1");
  clock.advance(1_000);
  status.begun("c1");
  expect(status.now).toMatchObject({ state: GitopsSyncState.SYNCED, startedAtMs: clock.now() - 1_000 });
  status.brokeOff("the cluster does not answer");
  expect(status.now).toMatchObject({ state: GitopsSyncState.FAILED, finishedAtMs: clock.now() });
  expect(status.now?.reason).toBe("the sync broke off and is tried again: the cluster does not answer");
  status.begun("c1");
  expect(status.now?.state).toBe(GitopsSyncState.APPLYING);
});

test("the commit that was applied last as a whole is told, with the time at which it was applied first", () => {
  syncWell("c1");
  const atMs = clock.now();
  clock.advance(1_000);
  syncWell("c1");
  expect(status.now?.applied).toEqual({ commitId: "c1", atMs });
  status.begun("c2");
  status.ended({ ...emptyReport("c2", "failed"), errors: [refused] });
  expect(status.now).toMatchObject({ commitId: "c2", applied: { commitId: "c1", atMs } });
  status.begun("c3");
  status.ended(emptyReport("c3", "synced"));
  expect(status.now?.applied).toEqual({ commitId: "c3", atMs: clock.now() });
});

test("a process that finds everything as it should be does not know when that was applied", () => {
  status.begun("c1");
  status.ended({ ...emptyReport("c1", "synced"), results: two.map((one) => resultOf(one, "unchanged")) });
  expect(status.now?.applied).toEqual({ commitId: "c1", atMs: undefined });
});

test("objects that do not get well are counted, and only that is told of them", () => {
  syncWell("c1");
  status.notReady([]);
  expect(status.now?.reason).toBe("");
  status.notReady(two.slice(1));
  expect(status.now).toMatchObject({ state: GitopsSyncState.SYNCED, reason: "1 of 2 objects are applied, but not well" });
  expect(status.now?.results.map(({ reason }) => reason)).toEqual(["", "applied, but not well"]);
});

test("that kas refuses is told until it does not; a kas that is away refuses nothing", () => {
  syncWell("c1");
  status.answered({ code: GRPC_CODE.unavailable, message: "away" });
  expect(status.now?.state).toBe(GitopsSyncState.SYNCED);
  status.answered({ code: GRPC_CODE.notFound, message: "no such project" });
  expect(status.now).toMatchObject({
    commitId: "c1",
    state: GitopsSyncState.FAILED,
    reason: "kas gives no manifests: no such project",
    objects: 2,
  });
  status.answered({ code: GRPC_CODE.failedPrecondition, message: "big.yaml is too long" });
  expect(status.now).toMatchObject({ commitId: "", state: GitopsSyncState.INVALID, objects: 0, namespaces: ["back", "shop"] });
  status.answered({ code: GRPC_CODE.unavailable, message: "away" });
  expect(status.now?.state).toBe(GitopsSyncState.INVALID);
  status.answered({ code: GRPC_CODE.ok, message: "" });
  expect(status.now).toMatchObject({ commitId: "c1", state: GitopsSyncState.SYNCED });
});

test("a project that is refused before its first commit has a status all the same", () => {
  status.answered({ code: GRPC_CODE.permissionDenied, message: "not yours" });
  expect(status.now).toMatchObject({ commitId: "", state: GitopsSyncState.FAILED, namespaces: ["home"] });
});

test("what has drifted is told with the commit that was applied, and the same commit once more is not told before its end", () => {
  syncWell("c1");
  const appliedAt = status.now?.applied;
  const drifted = (): void => {
    status.begun("c1");
    status.planned({ inventory: EMPTY_INVENTORY, manifests: two, errors: [] });
    status.ended({ ...emptyReport("c1", "drifted"), results: two.map((one) => resultOf(one, "drifted", { reason: "deleted" })) });
  };
  drifted();
  expect(status.now).toMatchObject({
    state: GitopsSyncState.OUT_OF_SYNC,
    reason: "objects were changed in the cluster, and stay so until a sync is asked for",
    applied: appliedAt,
    results: [{ reason: "deleted" }, { reason: "deleted" }],
  });
  status.begun("c1");
  expect(status.now?.state).toBe(GitopsSyncState.OUT_OF_SYNC);
  drifted();
});

test("a process that begins with drift knows which commit was applied, and not when", () => {
  status.begun("c1");
  status.ended({ ...emptyReport("c1", "drifted"), results: two.map((one) => resultOf(one, "drifted")) });
  expect(status.now?.applied).toEqual({ commitId: "c1", atMs: undefined });
});

test("interop-3 finding 4: an inventory is told with the id of its label, which changes at the end of the sync that converts it", () => {
  const former = { ...EMPTY_INVENTORY, label: "inventory-5-7" };
  status.begun("c1");
  status.planned({ inventory: former, manifests: two, errors: [] });
  expect(status.now?.inventory).toEqual({ ...INVENTORY, id: "inventory-5-7" });
  status.ended({ ...emptyReport("c1", "synced"), inventory: EMPTY_INVENTORY });
  expect(status.now?.inventory).toEqual(INVENTORY);
});

test("interop-3 finding 4: another agent that applies the same objects is a reason, also while all is synced", () => {
  status.begun("c1");
  status.ended({ ...emptyReport("c1", "synced"), foreign: two.map(({ key }) => key) });
  expect(status.now).toMatchObject({
    state: GitopsSyncState.SYNCED,
    reason: "another agent may be applying: field manager agentk has changed 2 objects since, and it was not this replica",
  });
});

test("security-3 A4: a commit that is too large has failed, with the reason and without a file", () => {
  status.begun("c1");
  status.ended({ ...emptyReport("c1", "too_large"), reason: "too many" });
  expect(status.now).toMatchObject({ commitId: "c1", state: GitopsSyncState.FAILED, reason: "too many", results: [] });
});
