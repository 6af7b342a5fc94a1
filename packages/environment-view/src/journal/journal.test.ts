import { expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import type { FieldDifference } from "./field-differences.ts";
import { Journal } from "./journal.ts";
import type { ObjectChange } from "./journal-entry.ts";

const MIB = 1024 * 1024;
const WORKLOAD = "apps/Deployment/app/web";

function field(path: string, before: number, after: number): FieldDifference {
  return { path, hidden: false, before: String(before), after: String(after), hashes: [before, after] };
}

function change(heardMs: number, rest: Partial<ObjectChange> & { readonly name?: string; readonly ofKind?: string } = {}): ObjectChange {
  const { name = "web", ofKind = "Deployment", ...more } = rest;
  return {
    kind: "changed",
    key: { group: "apps", kind: ofKind, namespace: "app", name },
    version: "v1",
    uid: `uid-${name}`,
    atMs: heardMs,
    isArrival: false,
    heardMs,
    manager: "kubectl-edit",
    subresource: "",
    isAfterGap: false,
    fields: [field("spec.replicas", heardMs, heardMs + 1)],
    moreFields: 0,
    count: 1,
    versions: [String(heardMs)],
    firstHeardMs: heardMs,
    ...more,
  };
}

test("10,000 changes hold the bound of a workload: the last 200 stay, and the journal states until when something is missing", () => {
  const budget = new ByteBudget(16 * MIB);
  const journal = new Journal(budget);
  for (let index = 0; index < 10_000; index += 1)
    journal.add(change(index * 10_000, { name: `web-${index % 7}`, ofKind: "Pod" }), WORKLOAD);
  expect(journal.size).toBe(200);
  const { changes, cutMs } = journal.since(0);
  expect(changes.map(({ heardMs }) => heardMs)).toEqual(Array.from({ length: 200 }, (_, index) => (9_999 - index) * 10_000));
  expect(cutMs).toBe(9_799 * 10_000);
});

test("10,000 changes of many workloads hold the bound of bytes: the oldest leave first, of any workload", () => {
  const budget = new ByteBudget(MIB);
  const journal = new Journal(budget);
  for (let index = 0; index < 10_000; index += 1) {
    journal.add(change(index * 10_000, { name: `web-${index}` }), `apps/Deployment/app/web-${index}`);
    expect(budget.usedBytes).toBeLessThanOrEqual(MIB);
  }
  const { changes, cutMs } = journal.since(0);
  expect(changes.length).toBeGreaterThan(1_000);
  expect(changes.length).toBe(journal.size);
  expect(changes.at(-1)?.heardMs).toBe((10_000 - changes.length) * 10_000);
  expect(cutMs).toBe((9_999 - changes.length) * 10_000);
  journal.close();
  expect(budget.usedBytes).toBe(0);
});

test("where there is no room at all nothing is retained, and the journal states it", () => {
  const full = new ByteBudget(100);
  const journal = new Journal(full);
  journal.add(change(1_000), WORKLOAD);
  expect(journal.since(0)).toEqual({ changes: [], cutMs: 1_000 });
});

test("what leaves gives its bytes back, also what has gone on", () => {
  const budget = new ByteBudget(MIB);
  const journal = new Journal(budget);
  for (let index = 0; index < 500; index += 1) journal.add(change(index * 100), WORKLOAD);
  journal.forget(() => true);
  expect([journal.size, budget.usedBytes]).toEqual([0, 0]);
});

test("one writer's changes within two seconds are one: what was before the first, and what is after the last", () => {
  const journal = new Journal(new ByteBudget(MIB));
  journal.add(change(0, { fields: [field("a", 1, 2), field("b", 1, 2)] }), WORKLOAD);
  journal.add(change(1_000, { fields: [field("a", 2, 3), field("c", 1, 2)] }), WORKLOAD);
  expect(journal.since(0).changes).toMatchObject([
    { count: 2, atMs: 1_000, versions: ["0", "1000"], fields: [{ path: "a", before: "1", after: "3" }, { path: "b" }, { path: "c" }] },
  ]);
  journal.add(change(2_500), WORKLOAD);
  expect(journal.size).toBe(2);
});

test.each([false, true])("a field that goes back leaves nothing, hidden: %s", (hidden) => {
  const journal = new Journal(new ByteBudget(MIB));
  const a = (before: number, after: number): FieldDifference =>
    hidden ? { path: "a", hidden, hashes: [before, after] } : field("a", before, after);
  journal.add(change(0, { fields: [a(1, 2), field("b", 1, 2)] }), WORKLOAD);
  journal.add(change(500, { fields: [a(2, 1)] }), WORKLOAD);
  expect(journal.since(0).changes).toMatchObject([{ fields: [{ path: "b" }] }]);
  journal.add(change(900, { fields: [field("b", 2, 1)] }), WORKLOAD);
  expect(journal.since(0).changes).toEqual([]);
});

test("changes of a status within ten seconds are one", () => {
  const journal = new Journal(new ByteBudget(MIB));
  for (const heardMs of [0, 4_000, 9_000, 12_000]) {
    journal.add(change(heardMs, { subresource: "status", fields: [field("status.readyReplicas", heardMs, heardMs + 1)] }), WORKLOAD);
  }
  expect(journal.since(0).changes.map(({ count }) => count)).toEqual([1, 3]);
});

test.each([
  ["another writer", { manager: "helm" }],
  ["another subresource", { subresource: "scale" }],
  ["another object of the name", { uid: "other" }],
  ["a gap", { isAfterGap: true }],
  ["an end", { kind: "deleted" }],
] as const)("%s is another change", (_, rest) => {
  const journal = new Journal(new ByteBudget(MIB));
  journal.add(change(0), WORKLOAD);
  journal.add(change(100, rest), WORKLOAD);
  expect(journal.size).toBe(2);
});

test("a change by another writer separates two changes of one writer", () => {
  const journal = new Journal(new ByteBudget(MIB));
  for (const manager of ["a", "b", "a"]) journal.add(change(100, { manager }), WORKLOAD);
  expect(journal.size).toBe(3);
});

test("a clock that is set back makes no change go on", () => {
  const journal = new Journal(new ByteBudget(MIB));
  journal.add(change(10_000), WORKLOAD);
  journal.add(change(5_000), WORKLOAD);
  expect(journal.size).toBe(2);
});

test("what was created after it was deleted was made again", () => {
  const journal = new Journal(new ByteBudget(MIB));
  for (const [index, kind] of (["created", "deleted", "created", "changed"] as const).entries())
    journal.add(change(index, { kind }), WORKLOAD);
  expect(journal.since(0).changes.map(({ kind }) => kind)).toEqual(["changed", "recreated", "deleted", "created"]);
});

test("what turns out to have an owner brings its changes into the owner's bound", () => {
  const journal = new Journal(new ByteBudget(MIB));
  const replicaSet = "apps/ReplicaSet/app/web-1";
  for (let index = 0; index < 150; index += 1) journal.add(change(index * 10_000, { ofKind: "Pod", name: "p" }), replicaSet);
  for (let index = 0; index < 100; index += 1) journal.add(change(index * 10_000 + 1), WORKLOAD);
  journal.add(change(2_000_000, { ofKind: "ReplicaSet", name: "web-1" }), WORKLOAD);
  expect(journal.size).toBe(200);
  const pod = journal.of({ group: "apps", kind: "Pod", namespace: "app", name: "p" }, WORKLOAD);
  expect(pod.changes.length).toBeGreaterThan(100);
  expect(pod.cutMs).toBeDefined();
});

test("a workload whose changes were cut states it for its own changes only", () => {
  const journal = new Journal(new ByteBudget(16 * MIB));
  for (let index = 0; index < 300; index += 1) journal.add(change(index * 10_000), WORKLOAD);
  journal.add(change(5, { name: "other" }), "apps/Deployment/app/other");
  const of = (name: string): number | undefined =>
    journal.of({ group: "apps", kind: "Deployment", namespace: "app", name }, `apps/Deployment/app/${name}`).cutMs;
  expect(of("web")).toBe(99 * 10_000);
  expect(of("other")).toBeUndefined();
});
