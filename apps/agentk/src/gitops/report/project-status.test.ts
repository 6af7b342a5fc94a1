import { GRPC_CODE } from "@binnacle/grpc-wire";
import { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import type { Inventory } from "../inventory/inventory.ts";
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

/** The inventory after the commit was applied. */
const after = (commitId: string, atMs?: number): Inventory => ({ ...EMPTY_INVENTORY, lastApplied: { commitId, atMs, objects: 2 } });

/** A sync of a commit that went well. */
function syncWell(commitId: string, atMs = clock.now()): void {
  status.begun(commitId);
  status.planned({ inventory: EMPTY_INVENTORY, manifests: two, errors: [] });
  const results = two.map((one) => resultOf(one, "applied"));
  for (const result of results) status.settled(result);
  status.ended({ ...emptyReport(commitId, "synced"), results, waves: 1, inventory: after(commitId, atMs) });
}

/** As people find it. */
const INVENTORY = { namespace: "shop", name: "inventory-5-7", id: "5-7" };

test("before kas has sent a commit there is no status", () => {
  expect(status.now).toBeUndefined();
});

test("while a commit is applied the status has its progress and the namespaces of its objects", () => {
  status.begun("c1");
  expect(status.now).toMatchObject({ commitId: "c1", state: GitopsSyncState.APPLYING, objects: 0, namespaces: ["home"] });
  status.planned({ inventory: EMPTY_INVENTORY, manifests: two, errors: [refused, unread] });
  const [first] = two;
  status.settled(resultOf(first ?? manifest("a"), "failed", { reason: "denied", fieldLine: 4 }));
  expect(status.now).toMatchObject({ objects: 4, namespaces: ["back", "shop"], inventory: INVENTORY, finishedAtMs: undefined });
  const reported = status.now?.results.map(({ key, outcome, reason, line, fieldLine }) => [key.name, outcome, reason, line, fieldLine]);
  expect(reported).toEqual([
    ["b", "failed", "no such kind", 3, 0],
    ["", "failed", "a manifest cannot be read", 1, 0],
    ["a", "failed", "denied", 1, 4],
    ["b", "pending", "", 1, 0],
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

test("the same commit once more is not reported before its end, a new one or one that failed is", () => {
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

test("the commit that was fully applied last is reported as the inventory records it", () => {
  syncWell("c1", 5);
  expect(status.now).toMatchObject({ applied: { commitId: "c1", atMs: 5, objects: 2 } });
  status.begun("c2");
  status.ended({ ...emptyReport("c2", "failed"), errors: [refused], inventory: after("c1", 5) });
  expect(status.now).toMatchObject({ commitId: "c2", applied: { commitId: "c1", atMs: 5, objects: 2 } });
});

test("features-3 fault 2: what a process does not know before its first sync has ended is reported as unknown, not as healthy", () => {
  status.restored(after("c1", 5));
  status.begun("c1");
  const known = { applied: { commitId: "c1", atMs: 5 }, inventory: INVENTORY };
  expect(status.now).toMatchObject({ state: GitopsSyncState.UNSPECIFIED, outcomeUnknown: true, ...known });
  status.planned({ inventory: after("c1", 5), manifests: two, errors: [] });
  expect(status.now).toMatchObject({ state: GitopsSyncState.UNSPECIFIED, outcomeUnknown: true, ...known });
  status.ended({ ...emptyReport("c1", "interrupted") });
  expect(status.now).toMatchObject({ outcomeUnknown: true, ...known });
  syncWell("c2");
  expect(status.now).toMatchObject({ state: GitopsSyncState.SYNCED, outcomeUnknown: false });
  status.begun("c3");
  expect(status.now).toMatchObject({ state: GitopsSyncState.APPLYING, outcomeUnknown: false });
});

test("a process that begins with another commit than was applied says that it is applied, and what was before", () => {
  status.restored(after("c1", 5));
  status.begun("c2");
  expect(status.now).toMatchObject({ state: GitopsSyncState.APPLYING, outcomeUnknown: true, applied: { commitId: "c1", atMs: 5 } });
  status.ended({ ...emptyReport("c2", "invalid"), errors: [refused] });
  expect(status.now).toMatchObject({ state: GitopsSyncState.INVALID, outcomeUnknown: false, applied: { commitId: "c1", atMs: 5 } });
});

test("what is read of the inventory after a commit was refused completes its report, with the namespaces of what is applied", () => {
  status.begun("c2");
  status.ended({ ...emptyReport("c2", "too_large"), reason: "too many" });
  expect(status.now).toMatchObject({ commitId: "c2", applied: undefined, inventory: undefined, namespaces: ["home"] });
  const objects = new Map([["shop_a__ConfigMap", manifest("a").key]]);
  status.restored({ ...after("c1", 5), objects });
  const known = { applied: { commitId: "c1", atMs: 5, objects: 2 }, inventory: INVENTORY, namespaces: ["shop"] };
  expect(status.now).toMatchObject({ commitId: "c2", state: GitopsSyncState.FAILED, ...known });
  status.answered({ code: GRPC_CODE.failedPrecondition, message: "big.yaml is too long" }, "c3");
  expect(status.now).toMatchObject({ commitId: "c3", state: GitopsSyncState.INVALID, ...known });
});

test("B2: after a commit whose files are rejected the objects of the one before are reported with their commit", () => {
  syncWell("c1");
  for (const commitId of ["c2", "c3"]) {
    status.begun(commitId);
    status.ended({ ...emptyReport(commitId, "invalid"), errors: [refused] });
    expect(status.now).toMatchObject({ commitId, objects: 0, results: [], applied: { objects: 2 }, former: { commitId: "c1" } });
    expect(status.now?.former?.results.map(({ key }) => key.name)).toEqual(["a", "b"]);
  }
  status.answered({ code: GRPC_CODE.failedPrecondition, message: "big.yaml is too long" }, "c4");
  expect(status.now).toMatchObject({ commitId: "c4", results: [], former: { commitId: "c1" } });
  syncWell("c4");
  status.answered({ code: GRPC_CODE.ok, message: "" });
  expect(status.now?.former).toBeUndefined();
});

test("B3: a conflict with another field manager is out of sync, and no failure", () => {
  status.begun("c1");
  const results = two.map((one, at) => resultOf(one, at === 0 ? "drifted" : "applied", { reason: at === 0 ? "other managers" : "" }));
  status.ended({ ...emptyReport("c1", "conflicting"), reason: "1 of 2 objects are out of sync", results });
  expect(status.now).toMatchObject({ state: GitopsSyncState.OUT_OF_SYNC, reason: "1 of 2 objects are out of sync", applied: undefined });
});

test("objects that do not become ready are counted, and only their number is reported", () => {
  syncWell("c1");
  status.notReady([]);
  expect(status.now?.reason).toBe("");
  status.notReady(two.slice(1));
  expect(status.now).toMatchObject({ state: GitopsSyncState.SYNCED, reason: "1 of 2 objects are applied, but not well" });
  expect(status.now?.results.map(({ reason }) => reason)).toEqual(["", "applied, but not well"]);
});

test("a rejection by kas is reported until kas accepts again; an unavailable kas counts as no rejection", () => {
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

test("drift is reported with the commit that was applied, and the same commit once more is not reported before its end", () => {
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
    reason: "objects were changed in the cluster, and stay so until a sync is requested",
    applied: appliedAt,
    results: [{ reason: "deleted" }, { reason: "deleted" }],
  });
  status.begun("c1");
  expect(status.now?.state).toBe(GitopsSyncState.OUT_OF_SYNC);
  drifted();
});

test("interop-3 finding 4: an inventory is reported with the id of its label, which changes at the end of the sync that converts it", () => {
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
