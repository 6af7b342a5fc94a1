import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  EnvironmentRowSchema,
  HealthStatus,
  ProblemKind,
  WatchEnvironmentsResponseSchema,
  type EnvironmentRow,
} from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { heldNames, sortedNames, statusOfRow } from "./row-order.ts";
import { applyRows } from "./use-environments.ts";

function row(name: string, status: HealthStatus, changedMs = 0): EnvironmentRow {
  return create(EnvironmentRowSchema, { environment: { name }, health: { status }, lastChange: timestampFromMs(changedMs) });
}

function rows(...list: EnvironmentRow[]): ReadonlyMap<string, EnvironmentRow> {
  return new Map(list.map((each) => [each.environment?.name ?? "", each]));
}

const FORBIDDEN = create(EnvironmentRowSchema, { environment: { name: "vault" }, problem: { kind: ProblemKind.AGENT_FORBIDDEN } });

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

test("rows are replaced by name and removed by name; a heartbeat changes none", () => {
  const start = {
    rows: rows(row("a", HealthStatus.HEALTHY), row("b", HealthStatus.HEALTHY)),
    complete: true,
    lost: true,
    lastMessageMs: 0,
  };
  const next = applyRows(start, create(WatchEnvironmentsResponseSchema, { rows: [row("a", HealthStatus.DEGRADED)], removed: ["b"] }), 7);
  expect([...next.rows.keys()]).toEqual(["a"]);
  expect(next).toMatchObject({ complete: true, lost: false, lastMessageMs: 7 });
  expect(applyRows(next, create(WatchEnvironmentsResponseSchema, {}), 8).rows).toBe(next.rows);
});

test("a row is found under its health; one that may not be seen or has no data under no status; one that cannot be asked under unknown", () => {
  expect(statusOfRow(row("bad", HealthStatus.DEGRADED))).toBe(HealthStatus.DEGRADED);
  expect(statusOfRow(FORBIDDEN)).toBe(HealthStatus.UNSPECIFIED);
  expect(statusOfRow(create(EnvironmentRowSchema, { environment: { name: "new" } }))).toBe(HealthStatus.UNSPECIFIED);
  expect(statusOfRow(create(EnvironmentRowSchema, { problem: { kind: ProblemKind.UNAVAILABLE } }))).toBe(HealthStatus.UNKNOWN);
});
