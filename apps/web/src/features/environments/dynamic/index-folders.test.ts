import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EnvironmentRowSchema, HealthStatus, ProblemKind, RowGap, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import type { KnownRow } from "@binnacle/presentation/environments/index-words";
import { NOT_KNOWN_YET, NOT_VISIBLE } from "@binnacle/presentation/environments/row-order";
import { departuresAfter } from "./departures.ts";
import { folderFacts, folderOf, folderSizes, indexEntries } from "./index-folders.ts";
import { parseFolders, withFolders } from "./use-open-folders.ts";

function known(name: string, changes: Omit<MessageInitShape<typeof EnvironmentRowSchema>, "$typeName"> = {}): KnownRow {
  const environment = { name, agentId: 1n, agentName: "demo" };
  return { row: create(EnvironmentRowSchema, { environment, ...changes }), knowledge: { kind: "fresh" } };
}

const healthy = (name: string): KnownRow => known(name, { health: { status: HealthStatus.HEALTHY } });

function shownNames(shown: readonly KnownRow[], open: readonly string[], all = shown): readonly string[] {
  const sizes = folderSizes(all.map(({ row }) => row.environment?.name ?? ""));
  return indexEntries(shown, { sizes, isOpen: (folder) => open.includes(folder) }).map((entry) =>
    entry.kind === "folder"
      ? `${entry.folder.name} ${entry.folder.members.length} of ${entry.folder.size}`
      : `${entry.isInFolder ? "- " : ""}${entry.known.row.environment?.name}`,
  );
}

test("the folder of an environment is the first part of its name, where that has several", () => {
  expect(["production", "review/a", "review/a/b", "/a"].map(folderOf)).toEqual([undefined, "review", "review", ""]);
});

test("a folder stands where the first of its environments would, and opens in place; one environment alone has none", () => {
  const all = ["review/bad", "staging", "review/a", "qa/only", "production", "review/b"].map(healthy);
  expect(shownNames(all, [])).toEqual(["review 3 of 3", "staging", "qa/only", "production"]);
  expect(shownNames(all, ["review"])).toEqual([
    "review 3 of 3",
    "- review/bad",
    "- review/a",
    "- review/b",
    "staging",
    "qa/only",
    "production",
  ]);
});

test("filters look into folders, which say how many of theirs match; a folder of one match is still one", () => {
  const all = ["review/a", "review/b", "production"].map(healthy);
  expect(shownNames(all.slice(1, 2), ["review"], all)).toEqual(["review 1 of 2", "- review/b"]);
  expect(shownNames([], ["review"], all)).toEqual([]);
});

test("a folder has the worst health of its environments and their numbers together", () => {
  const at = timestampFromMs(2_000);
  const facts = folderFacts([
    known("review/a", { health: { status: HealthStatus.DEGRADED, issuesTotal: 2 }, workloads: 3, workloadsReady: 1, workloadsDown: 2 }),
    known("review/b", { health: { status: HealthStatus.HEALTHY }, workloads: 4, workloadsReady: 4, lastChange: at }),
    { ...healthy("review/c"), knowledge: { kind: "old", asOfMs: 1, why: "agent-offline" } },
  ]);
  expect(facts).toEqual({
    worst: HealthStatus.DEGRADED,
    isPartial: false,
    counts: [
      { status: HealthStatus.DEGRADED, count: 1 },
      { status: HealthStatus.HEALTHY, count: 2 },
    ],
    old: 1,
    issues: 2,
    workloads: { ready: 5, wanted: 7, down: 2, suspended: 0 },
    changedMs: 2_000,
    agents: ["demo"],
    withoutAgent: 0,
    isHiding: false,
  });
});

test("a folder of which something is not known or not visible is partial, never plainly healthy; what may not be seen adds no numbers", () => {
  const locked = known("review/b", { gap: RowGap.FORBIDDEN, workloads: 9 });
  const bare: EnvironmentRow = create(EnvironmentRowSchema, { environment: { name: "review/c" }, problem: { kind: ProblemKind.NO_AGENT } });
  const facts = folderFacts([healthy("review/a"), locked, known("review/d"), { row: bare, knowledge: { kind: "outside" } }]);
  expect(facts).toMatchObject({ worst: HealthStatus.HEALTHY, isPartial: true, workloads: { wanted: 0 }, withoutAgent: 1, isHiding: true });
  expect(facts.counts.map(({ status }) => status)).toEqual([HealthStatus.HEALTHY, HealthStatus.UNSPECIFIED, NOT_KNOWN_YET, NOT_VISIBLE]);
  expect(folderFacts([locked]).worst).toBe(NOT_VISIBLE);
  expect(folderFacts([known("review/d"), locked]).worst).toBe(NOT_KNOWN_YET);
});

test("the address keeps open folders beside filters, each once, and not without end", () => {
  const query = withFolders("q=a&folders=old", ["review", "ä & b"]);
  expect(query).toBe("q=a&folders=review&folders=%C3%A4+%26+b");
  expect(parseFolders(new URLSearchParams(`${query}&folders=review&folders=`))).toEqual(["review", "ä & b"]);
  expect(parseFolders(new URLSearchParams(Array.from({ length: 99 }, (_, index) => ["folders", `f${index}`])))).toHaveLength(50);
  expect(withFolders("?folders=review", [])).toBe("");
});

test("what left the list is named newest first, for ten minutes, until it is back, and not without end", () => {
  const rowOf = (name: string, state: string): EnvironmentRow => create(EnvironmentRowSchema, { environment: { name, state } });
  const none = new Map<string, EnvironmentRow>();
  const first = departuresAfter([], { gone: [rowOf("a", "stopping"), rowOf("b", "available")], rows: none, nowMs: 1_000 });
  expect(first).toEqual([
    { name: "a", atMs: 1_000, wasStopping: true },
    { name: "b", atMs: 1_000, wasStopping: false },
  ]);
  const back = new Map([["a", rowOf("a", "available")]]);
  expect(departuresAfter(first, { gone: [rowOf("c", "available")], rows: back, nowMs: 2_000 }).map(({ name }) => name)).toEqual(["c", "b"]);
  expect(departuresAfter(first, { gone: [], rows: none, nowMs: 700_000 })).toEqual([]);
  const many = Array.from({ length: 900 }, (_, index) => rowOf(`r-${index}`, "available"));
  expect(departuresAfter(first, { gone: many, rows: none, nowMs: 3_000 })).toHaveLength(500);
});
