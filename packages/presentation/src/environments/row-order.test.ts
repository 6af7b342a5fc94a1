import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EnvironmentRowSchema, HealthStatus, ProblemKind, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { heldNames, NOT_KNOWN_YET, NOT_VISIBLE, sortedNames, statusOfRow } from "./row-order.ts";

function row(name: string, status: HealthStatus, changedMs = 0): EnvironmentRow {
  return create(EnvironmentRowSchema, { environment: { name }, health: { status }, lastChange: timestampFromMs(changedMs) });
}

function rows(...list: EnvironmentRow[]): ReadonlyMap<string, EnvironmentRow> {
  return new Map(list.map((each) => [each.environment?.name ?? "", each]));
}

const FORBIDDEN = create(EnvironmentRowSchema, { environment: { name: "vault" }, problem: { kind: ProblemKind.AGENT_FORBIDDEN } });

/** Of so many workloads so many have no ready replica, and the worst issue began then, if that is known. */
interface Harm {
  readonly workloads: number;
  readonly workloadsDown: number;
  readonly sinceMs?: number;
}

function harmed(name: string, status: HealthStatus, { sinceMs, ...counts }: Harm): EnvironmentRow {
  const issues = sinceMs === undefined ? [] : [{ since: timestampFromMs(sinceMs) }];
  return create(EnvironmentRowSchema, { environment: { name }, health: { status, issues }, ...counts });
}

const { DEGRADED, PROGRESSING, HEALTHY } = HealthStatus;

test("S3: 0 of 15 workloads serving comes before a degraded environment whose 63 of 63 serve", () => {
  const preview = harmed("preview", DEGRADED, { workloads: 63, workloadsDown: 0, sinceMs: 1 });
  const staging = harmed("staging", PROGRESSING, { workloads: 15, workloadsDown: 15, sinceMs: 2 });
  const half = harmed("half", DEGRADED, { workloads: 4, workloadsDown: 2 });
  expect(sortedNames(rows(preview, half, staging))).toEqual(["staging", "half", "preview"]);
});

test("S3: of the same share the more severe is first, then what began first; an unknown beginning comes after known ones", () => {
  const half = { workloads: 4, workloadsDown: 2 };
  const all = rows(
    harmed("undated", DEGRADED, half),
    harmed("late", DEGRADED, { ...half, sinceMs: 2_000 }),
    harmed("early", DEGRADED, { ...half, sinceMs: 1_000 }),
    harmed("mild", PROGRESSING, { ...half, sinceMs: 1 }),
  );
  expect(sortedNames(all)).toEqual(["early", "late", "undated", "mild"]);
});

test("S3: where workloads without a ready replica were not counted, those that are neither ready nor suspended decide", () => {
  const old = (name: string, workloadsReady: number, workloadsSuspended: number) =>
    create(EnvironmentRowSchema, { environment: { name }, health: { status: HEALTHY }, workloads: 4, workloadsReady, workloadsSuspended });
  expect(sortedNames(rows(old("paused", 0, 4), old("down", 1, 0)))).toEqual(["down", "paused"]);
});

test("the rows of which least is known are last: forbidden ones, then those without an agent", () => {
  const bare = create(EnvironmentRowSchema, { environment: { name: "a-bare" }, problem: { kind: ProblemKind.NO_AGENT } });
  const loading = create(EnvironmentRowSchema, { environment: { name: "loading" } });
  expect(sortedNames(rows(bare, FORBIDDEN, loading, row("well", HEALTHY)))).toEqual(["well", "loading", "vault", "a-bare"]);
});

test("worst first, then newest change; what may not be seen last", () => {
  const all = rows(
    FORBIDDEN,
    row("old", HealthStatus.HEALTHY, 1),
    row("new", HealthStatus.HEALTHY, 2),
    row("bad", HealthStatus.DEGRADED),
    row("dark", HealthStatus.UNKNOWN),
  );
  expect(sortedNames(all)).toEqual(["dark", "bad", "new", "old", "vault"]);
});

test("a held order changes no places: what left goes, what is new comes last", () => {
  const before = ["a", "b", "c"];
  const now = rows(row("c", HealthStatus.DEGRADED), row("a", HealthStatus.HEALTHY), row("d", HealthStatus.UNKNOWN));
  expect(heldNames(before, now)).toEqual(["a", "c", "d"]);
});

test("UB1: a row is found under its health; one that may not be seen, or is not known yet, stands by itself", () => {
  expect(statusOfRow(row("bad", HealthStatus.DEGRADED))).toBe(HealthStatus.DEGRADED);
  expect(statusOfRow(FORBIDDEN)).toBe(NOT_VISIBLE);
  expect(statusOfRow(row("calm", HealthStatus.UNSPECIFIED))).toBe(HealthStatus.UNSPECIFIED);
  expect(statusOfRow(create(EnvironmentRowSchema, { environment: { name: "new" } }))).toBe(NOT_KNOWN_YET);
  expect(statusOfRow(create(EnvironmentRowSchema, { problem: { kind: ProblemKind.UNAVAILABLE } }))).toBe(HealthStatus.UNKNOWN);
});
