import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConnectionSchema,
  ConnectionState,
  EnvironmentRowSchema,
  HealthStatus,
  ProblemKind,
  RowGap,
  WatchEnvironmentsResponseSchema,
  type EnvironmentRow,
} from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { knowledgeOf } from "@binnacle/presentation/environments/row-knowledge";
import { applyRows, isLoading, sentRows, START, type EnvironmentsState } from "./environments-state.ts";

const AT = { nowMs: 1_000, first: false };

function known(name: string, status: HealthStatus = HealthStatus.HEALTHY): EnvironmentRow {
  return create(EnvironmentRowSchema, {
    environment: { name, projectPath: "group/app", agentId: 3n, namespace: name },
    health: { status },
    workloads: 2,
    asOf: timestampFromMs(900),
    every: durationFromMs(30_000),
  });
}

function unknown(name: string, init: Exclude<MessageInitShape<typeof EnvironmentRowSchema>, EnvironmentRow> = {}): EnvironmentRow {
  const environment = { name, projectPath: "group/app", agentId: 3n, namespace: name };
  return create(EnvironmentRowSchema, { environment, gap: RowGap.NOT_LOOKED_AT, ...init });
}

function after(state: EnvironmentsState, init: MessageInitShape<typeof WatchEnvironmentsResponseSchema>, at = AT): EnvironmentsState {
  return applyRows(state, create(WatchEnvironmentsResponseSchema, init), at);
}

test("rows are replaced by name and removed by name; a heartbeat changes none", () => {
  const start = after({ ...START, lost: true }, { rows: [known("a"), known("b")], complete: true });
  const next = after(start, { rows: [known("a", HealthStatus.DEGRADED)], removed: ["b"] }, { nowMs: 7, first: false });
  expect([...next.rows.keys()]).toEqual(["a"]);
  expect(next).toMatchObject({ complete: true, lost: false, lastMessageMs: 7, firstRowsMs: 1_000 });
  expect(after(next, {}).rows).toBe(next.rows);
});

test("XM5: numbers that another user saw are gone with the first word to who signed in after him, known anew or not", () => {
  const before = after(START, { rows: [known("a"), known("b")], complete: true, viewer: { username: "ann" } });
  const next = after(before, { rows: [unknown("a")], viewer: { username: "bob" } }, { nowMs: 5_000, first: true });
  expect([...next.rows.keys()]).toEqual(["a"]);
  expect(next.rows.get("a")?.health).toBeUndefined();
  expect(next).toMatchObject({ kept: new Map(), complete: false, viewer: { username: "bob" } });
  const same = after(before, { rows: [unknown("a")], viewer: { username: "ann" } }, { nowMs: 5_000, first: true });
  expect(same.rows.get("a")?.health).toBeDefined();
});

test("UB1: a new stream that knows nothing yet takes no numbers away: they are kept with their time until it knows", () => {
  const before = after(START, { rows: [known("a", HealthStatus.DEGRADED), known("gone")], complete: true });
  const again = after(before, { rows: [unknown("a"), unknown("new")], complete: true }, { nowMs: 5_000, first: true });
  expect([...again.rows.keys()]).toEqual(["a", "new"]);
  expect(again.rows.get("a")).toMatchObject({ health: { status: HealthStatus.DEGRADED }, workloads: 2, live: false });
  expect(again.rows.get("a")?.asOf).toEqual(timestampFromMs(900));
  expect(again.kept.get("a")).toBe(5_000);
  const fresh = after(again, { rows: [known("a")] });
  expect(fresh.kept.size).toBe(0);
  expect(fresh.rows.get("a")?.health?.status).toBe(HealthStatus.HEALTHY);
});

test.each([
  ["may not be seen any more", { problem: { kind: ProblemKind.AGENT_FORBIDDEN }, gap: RowGap.UNSPECIFIED }],
  ["the cluster forbids reading", { gap: RowGap.FORBIDDEN }],
  ["belongs to another identity now", { gap: RowGap.MOVED }],
  ["has another namespace now", { environment: { name: "a", projectPath: "group/app", agentId: 3n, namespace: "other" } }],
  ["has another agent now", { environment: { name: "a", projectPath: "group/app", agentId: 4n, namespace: "a" } }],
])("T23: numbers of a row that %s are not kept", (_title, init) => {
  const before = after(START, { rows: [known("a")], complete: true });
  const now = after(before, { rows: [unknown("a", init)], complete: true }, { nowMs: 5_000, first: true });
  expect(now.rows.get("a")?.health).toBeUndefined();
  expect(now.kept.size).toBe(0);
});

test("a look that has brought nothing new brings its time", () => {
  const before = after(START, { rows: [known("a"), unknown("b")], complete: true });
  const now = after(before, { seen: [{ asOf: timestampFromMs(60_000), names: ["a", "b", "who"] }] });
  expect(now.rows.get("a")?.asOf).toEqual(timestampFromMs(60_000));
  expect(now.rows.get("b")?.asOf).toBeUndefined();
  expect(now.rows.has("who")).toBe(false);
});

test("it is loading while a row that could be known is not", () => {
  const loading = after(START, { rows: [known("a"), unknown("b")], complete: true });
  expect(isLoading(loading)).toBe(true);
  expect(isLoading(after(loading, { rows: [unknown("b", { gap: RowGap.FORBIDDEN })] }))).toBe(false);
  expect(isLoading(after(loading, { rows: [unknown("b", { connection: { state: ConnectionState.AGENT_OFFLINE } })] }))).toBe(false);
});

test("rows that the page was sent with are of then, and they are not shown as live", () => {
  const sent = sentRows(
    create(WatchEnvironmentsResponseSchema, {
      rows: [create(EnvironmentRowSchema, { ...known("a"), live: true })],
      complete: true,
      sentAt: timestampFromMs(900),
      viewer: { username: "ann" },
    }),
  );
  expect(sent).toMatchObject({ sentAtMs: 900, complete: true, lastMessageMs: 0, viewer: { username: "ann" } });
  expect(sent.rows.get("a")?.live).toBe(false);
  const standing = { nowMs: 900, lostSinceMs: undefined, kept: sent.kept };
  const connection = create(ConnectionSchema, { state: ConnectionState.CONNECTED });
  const { every: _every, ...rest } = known("a");
  const row = create(EnvironmentRowSchema, { ...rest, connection });
  expect(knowledgeOf(row, { ...standing, isAsSent: true })).toEqual({ kind: "fresh" });
  expect(knowledgeOf(row, standing)).toMatchObject({ kind: "old", why: "late" });
});

test("XM5: what the page was sent with goes when the stream is of another user; else its numbers stay until the stream knows", () => {
  const message = create(WatchEnvironmentsResponseSchema, { rows: [known("a")], complete: true, viewer: { username: "ann" } });
  const other = after(
    sentRows(message),
    { rows: [unknown("a")], viewer: { username: "bob" }, complete: true },
    { nowMs: 5_000, first: true },
  );
  expect(other.rows.get("a")?.health).toBeUndefined();
  const same = after(
    sentRows(message),
    { rows: [unknown("a")], viewer: { username: "ann" }, complete: true },
    { nowMs: 5_000, first: true },
  );
  expect([same.rows.get("a")?.health?.status, same.sentAtMs]).toEqual([HealthStatus.HEALTHY, undefined]);
});

test("a viewer without access is not shown as not known yet for a moment; a later report of the row counts", () => {
  const before = sentRows(
    create(WatchEnvironmentsResponseSchema, { rows: [unknown("a", { problem: { kind: ProblemKind.AGENT_FORBIDDEN } })] }),
  );
  const begun = after(before, { rows: [unknown("a")], complete: true }, { nowMs: 5_000, first: true });
  expect(begun.rows.get("a")?.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
  const reported = after(begun, { rows: [unknown("a", { connection: { state: ConnectionState.CONNECTED } })] });
  expect(reported.rows.get("a")?.problem).toBeUndefined();
  const seen = after(begun, { rows: [known("a")] }).rows.get("a");
  expect([seen?.problem, seen?.health?.status]).toEqual([undefined, HealthStatus.HEALTHY]);
});
