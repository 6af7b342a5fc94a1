import {
  EnvironmentRowSchema,
  EnvironmentSchema,
  HealthStatus,
  RowGap,
  ViewerSchema,
  type EnvironmentRow,
} from "@binnacle/proto/dashboard";
import {
  OverviewRowSchema,
  WatchOverviewResponseSchema,
  type OverviewRow,
  type WatchOverviewResponse,
} from "@binnacle/proto/dashboard-overview";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { applyOverview, START, type OverviewState } from "./overview-state.ts";

function rowOf(init: MessageInitShape<typeof EnvironmentRowSchema>): EnvironmentRow {
  const environment = create(EnvironmentSchema, { projectPath: "g/p", name: "production", agentId: 1n });
  return create(EnvironmentRowSchema, { ...init, environment });
}

function row(id: string, init: MessageInitShape<typeof EnvironmentRowSchema> = {}): OverviewRow {
  return create(OverviewRowSchema, { id, row: rowOf(init) });
}

const HEALTHY = { health: { status: HealthStatus.HEALTHY }, workloads: 3 };
const UNKNOWN = { gap: RowGap.NOT_LOOKED_AT };

function after(state: OverviewState, init: MessageInitShape<typeof WatchOverviewResponseSchema>, first = false): OverviewState {
  const message: WatchOverviewResponse = create(WatchOverviewResponseSchema, init);
  return applyOverview(state, message, { nowMs: 1_000, first });
}

test("rows are replaced by id, and those that left go", () => {
  const both = after(START, { rows: [row("1", HEALTHY), row("2")] }, true);
  const one = after(both, { rows: [row("2", HEALTHY)], removed: ["1"] });
  expect([...one.rows].map(([id, { health }]) => [id, health?.status])).toEqual([["2", HealthStatus.HEALTHY]]);
});

test("a new stream that knows nothing yet keeps the numbers, and removes what it does not name only when it is complete", () => {
  const before = after(START, { rows: [row("1", HEALTHY), row("2", HEALTHY)], totals: { complete: true } }, true);
  const begun = after(before, { rows: [row("1", UNKNOWN)], totals: { complete: false } }, true);
  expect([[...begun.rows.keys()], begun.rows.get("1")?.workloads, begun.kept.has("1")]).toEqual([["1", "2"], 3, true]);
  const complete = after(begun, { totals: { complete: true } });
  expect([...complete.rows.keys()]).toEqual(["1"]);
});

test("while projects cannot be read nothing is taken for gone", () => {
  const before = after(START, { rows: [row("1", HEALTHY), row("2", HEALTHY)] }, true);
  const begun = after(before, { rows: [row("1")], totals: { complete: true, projectsFailed: 1 } }, true);
  expect([...begun.rows.keys()]).toEqual(["1", "2"]);
});

test("T76: what another user saw is not shown to who signed in after them", () => {
  const ann = after(START, { rows: [row("1", HEALTHY)], viewer: create(ViewerSchema, { username: "ann" }) }, true);
  const ben = after(ann, { rows: [row("2", UNKNOWN)], viewer: create(ViewerSchema, { username: "ben" }) }, true);
  expect([...ben.rows.keys()]).toEqual(["2"]);
});

test("a message without rows leaves the rows as they are", () => {
  const before = after(START, { rows: [row("1", HEALTHY)] }, true);
  expect(after(before, {}).rows).toBe(before.rows);
});
