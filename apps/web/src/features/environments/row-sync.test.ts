import {
  DeliverySchema,
  DeliveryState,
  EnvironmentHealthSchema,
  EnvironmentRowSchema,
  GitopsState,
  HealthStatus,
  IssueGroupSchema,
  WatchEnvironmentsResponseSchema,
} from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { withSyncIssues } from "@binnacle/presentation/health/with-sync-issues";
import { titleOfIssue } from "@binnacle/presentation/health/issue-words";
import { applyRows, START } from "./environments-state.ts";
import { encodeIndexFilter, parseIndexFilter } from "./index-filter.ts";
import { summaryWords } from "@binnacle/presentation/environments/index-words";
import { lastComparedMs, syncOfRow } from "./row-sync.tsx";

const REFUSED = create(IssueGroupSchema, {
  key: '["sync","group/manifests","SyncRefused"]',
  status: HealthStatus.DEGRADED,
  title: { id: "sync-issue/refused", facts: [{ name: "project", value: { case: "text", value: "group/manifests" } }] },
});
const HEALTHY = create(EnvironmentHealthSchema, { status: HealthStatus.HEALTHY });

function row(delivery: MessageInitShape<typeof DeliverySchema>) {
  return create(EnvironmentRowSchema, { environment: { name: "production", delivery }, health: HEALTHY });
}

test("B1: a failed sync is an issue of a healthy environment, once, and no more when it is over", () => {
  const delivery = create(DeliverySchema, { issues: [REFUSED] });
  const once = withSyncIssues(HEALTHY, delivery);
  expect([once.issuesTotal, once.status, once.issues.map(titleOfIssue)]).toEqual([
    1,
    HealthStatus.HEALTHY,
    [expect.stringContaining("group/manifests")],
  ]);
  expect(withSyncIssues(once, delivery).issuesTotal).toBe(1);
  expect(withSyncIssues(once, create(DeliverySchema))).toMatchObject({ issuesTotal: 0, issues: [] });
});

test("B1: an environment whose sync failed needs attention, and its row has the issue", () => {
  const message = create(WatchEnvironmentsResponseSchema, { rows: [row({ issues: [REFUSED] })], complete: true });
  const [known] = applyRows(START, message, { nowMs: 1, first: true }).rows.values();
  if (known === undefined) throw new Error("there is a row");
  expect(known.health?.issuesTotal).toBe(1);
  expect(summaryWords([{ row: known, knowledge: { kind: "fresh" } }], 1)).toMatch(/1 needs attention/);
});

test("B1: rows are filtered by the worst of their syncs, in the address too", () => {
  const value = { syncs: [{ state: GitopsState.SYNCED }, { state: GitopsState.INVALID }] };
  expect(syncOfRow(row({ sync: { state: DeliveryState.KNOWN, value } }))).toBe("degraded");
  expect(syncOfRow(row({ sync: { state: DeliveryState.NONE } }))).toBeUndefined();
  expect(syncOfRow(row({ sync: { state: DeliveryState.FORBIDDEN } }))).toBeUndefined();
  expect(syncOfRow(row({ sync: { state: DeliveryState.UNKNOWN, why: { id: "delivery/kas-unreachable" } } }))).toBe("unknown");
  const filter = { text: "", status: undefined, sync: "degraded" } as const;
  expect(parseIndexFilter(new URLSearchParams(encodeIndexFilter(filter)))).toEqual(filter);
  expect(parseIndexFilter(new URLSearchParams("sync=javascript"))).toMatchObject({ sync: undefined });
});

test("B3: a row is dated by the end of its oldest sync unless its objects are compared now or never", () => {
  const endedAt = (seconds: number, driftIgnored = false) => ({ driftIgnored, finishedAt: { seconds: BigInt(seconds) } });
  const sync = (...syncs: ReturnType<typeof endedAt>[]) => ({ state: DeliveryState.KNOWN, value: { syncs } });
  const unknown = { state: DeliveryState.UNKNOWN };
  expect(lastComparedMs(row({ sync: sync(endedAt(20), endedAt(10)), drift: unknown }))).toBe(10_000);
  expect(lastComparedMs(row({ sync: sync(endedAt(20), endedAt(10, true)), drift: unknown }))).toBe(20_000);
  expect(lastComparedMs(row({ sync: sync(endedAt(20)), drift: { state: DeliveryState.KNOWN } }))).toBeUndefined();
  expect(lastComparedMs(row({ sync: sync(endedAt(10, true)), drift: unknown }))).toBeUndefined();
  expect(lastComparedMs(row({ sync: { state: DeliveryState.NONE } }))).toBeUndefined();
});
