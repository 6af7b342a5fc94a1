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
