import { GitopsDriftMode, GitopsOutcome, GitopsSyncState, ReportSyncRequestSchema, type GitopsObject } from "@binnacle/proto/kas-gitops";
import { fromBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import type { ObjectResult } from "../sync/object-result.ts";
import { reportPieces } from "./report-pieces.ts";
import type { SyncStatus } from "./sync-status.ts";

const PROJECT = { id: "group/app", globs: ["deploy/**"], drift: "show" } as const;

const result = (name: string, over: Partial<ObjectResult> = {}): ObjectResult => ({
  key: { group: "apps", kind: "Deployment", namespace: "web", name },
  outcome: "unchanged",
  reason: "",
  source: "deploy/web.yaml",
  line: 31,
  fieldLine: 0,
  ...over,
});

const status = (results: readonly ObjectResult[]): SyncStatus => ({
  commitId: "c1",
  state: GitopsSyncState.FAILED,
  reason: "",
  startedAtMs: 1_500,
  finishedAtMs: undefined,
  waves: 2,
  pruneHeld: "",
  objects: results.length,
  results,
  namespaces: ["web"],
  former: undefined,
  outcomeUnknown: false,
  applied: { commitId: "c0", atMs: 500, objects: 7 },
  inventory: { namespace: "web", name: "inventory-5-7", id: "5-7" },
});

const read = (pieces: readonly Uint8Array[]) => pieces.map((piece) => fromBinary(ReportSyncRequestSchema, piece).piece);
const objectsOf = (pieces: readonly Uint8Array[]): GitopsObject[] =>
  read(pieces).flatMap((piece) => (piece.case === "objects" ? piece.value.objects : []));

test("the sync comes first, with where it is and what it is made from", () => {
  const [first, ...more] = read(reportPieces(status([]), PROJECT));
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    case: "sync",
    value: {
      project: "group/app",
      commitId: "c1",
      globs: ["deploy/**"],
      driftMode: GitopsDriftMode.SHOW,
      namespaces: ["web"],
      inventoryId: "5-7",
      inventoryNamespace: "web",
      inventoryName: "inventory-5-7",
      appliedCommitId: "c0",
      appliedAt: { seconds: 0n, nanos: 500_000_000 },
      startedAt: { seconds: 1n, nanos: 500_000_000 },
    },
  });
  expect(first?.case === "sync" && first.value.finishedAt).toBeUndefined();
});

test("B4: line of the object and line of the field, what was applied last, and fields that are kept are distinct", () => {
  const keptFields = Array.from({ length: 101 }, (_, at) => ({ object: "", field: `.spec.f${at}`, user: "nina", atMs: 1_000, proof: "p" }));
  const [object] = objectsOf(
    reportPieces(status([result("a", { fieldLine: 40, appliedDigest: Buffer.from([1, 2]), keptFields, outcome: "drifted" })]), PROJECT),
  );
  expect(object).toMatchObject({ line: 31, fieldLine: 40, appliedDigest: new Uint8Array([1, 2]) });
  expect(object?.keptFields).toHaveLength(100);
  expect(object?.keptFields[0]).toMatchObject({ field: ".spec.f0", user: "nina", proof: "p", keptAt: { seconds: 1n } });
});

test("B2: objects of a commit before are reported with that commit, and do not count", () => {
  const former = { commitId: "c0", results: [result("a", { outcome: "failed" })] };
  const pieces = reportPieces({ ...status([]), former, outcomeUnknown: true }, PROJECT);
  expect(read(pieces)[0]).toMatchObject({
    value: { objectsCommitId: "c0", failed: 0, objects: 0, appliedObjects: 7, outcomeUnknown: true },
  });
  expect(objectsOf(pieces)).toHaveLength(1);
});

test("failures come first, and what kas does not take any more is left out", () => {
  const long = "x".repeat(900);
  const results = Array.from({ length: 2_000 }, (_, at) => result(`a${at}`, { source: long }));
  const pieces = reportPieces(status([...results, result("bad", { outcome: "failed", reason: "denied" })]), PROJECT);
  expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(64 * 1024);
  expect(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(512 * 1024);
  const objects = objectsOf(pieces);
  expect(objects[0]).toMatchObject({ name: "bad", outcome: GitopsOutcome.FAILED, reason: "denied", line: 31 });
  expect(objects.length).toBeGreaterThan(400);
  expect(read(pieces)[0]).toMatchObject({ value: { objects: 2_001, failed: 1 } });
});

test("two thousand objects of a usual length all fit", () => {
  const results = Array.from({ length: 2_000 }, (_, at) => result(`a-deployment-with-a-name-${at}`, { source: `deploy/team/${at}.yaml` }));
  expect(objectsOf(reportPieces(status(results), PROJECT))).toHaveLength(2_000);
});

test("a text of a megabyte is cut, also between the halves of a sign", () => {
  const huge = "😀".repeat(300_000);
  const bad = result(`x${huge}`, { outcome: "failed", reason: `y${huge}` });
  const [object] = objectsOf(
    reportPieces({ ...status([bad]), reason: huge, pruneHeld: huge }, { ...PROJECT, globs: Array(500).fill(huge) }),
  );
  expect(object?.reason.length).toBe(1_024);
  expect(object?.name.endsWith("\u{FFFD}")).toBe(true);
});
