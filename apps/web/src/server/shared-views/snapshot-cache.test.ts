import { ByteBudget, type SummaryFacts, type ViewSnapshot, type ViewSource } from "@binnacle/environment-view";
import { EnvironmentHealthSchema, HealthStatus, SettledState } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import { SnapshotCache } from "./snapshot-cache.ts";

const SCOPE = { namespaces: ["prod"] };
const ANN = JSON.stringify(["3", "ann"]);

function source(resource: string, init: Partial<ViewSource> = {}): ViewSource {
  const id = `/${resource}/prod`;
  const rest = { group: "", version: "v1", kind: resource, namespace: "prod", shown: 1, total: 0, message: "", countsForHealth: true };
  return { id, resource, settled: "live", ...rest, ...init };
}

function snapshot(sources: readonly ViewSource[], complete = true): ViewSnapshot {
  const status = HealthStatus.DEGRADED;
  const issue = { key: "k", status, since: timestampFromMs(7), members: [{ status }] };
  const health = create(EnvironmentHealthSchema, {
    status,
    reason: "bad",
    counts: [{ status, count: 1 }],
    issues: [issue],
    issuesTotal: 1,
  });
  return {
    kind: "snapshot",
    version: 1,
    nodes: [],
    edges: [],
    content: { bytes: new Uint8Array() },
    health,
    sources,
    connection: { state: "connected", sinceMs: 1 },
    complete,
    isEmpty: false,
  };
}

function pictures(): SnapshotCache {
  return new SnapshotCache({ clock: new ManualClock(), views: new ByteBudget(64 * 1024 * 1024) });
}

test("US5: the newest full snapshot of a tenant and a scope is cached, for that tenant only", async () => {
  const kept = pictures();
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([source("pods")]), asOfMs: 1_000 });
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([source("pods"), source("secrets")]), asOfMs: 2_000 });
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([source("pods")], false), asOfMs: 3_000 });
  const picture = await kept.pictureOf(ANN, SCOPE);
  expect(picture).toMatchObject({ complete: true, asOf: timestampFromMs(2_000), sources: [{ resource: "pods" }, { resource: "secrets" }] });
  expect(picture?.connection).toBeUndefined();
  expect(await kept.pictureOf(JSON.stringify(["3", "bob"]), SCOPE)).toBeUndefined();
  expect(await kept.pictureOf(ANN, { namespaces: ["other"] })).toBeUndefined();
  expect(kept.summaryOf(ANN, SCOPE)).toMatchObject({
    asOfMs: 2_000,
    freshness: { kind: "sampled" },
    health: { status: HealthStatus.DEGRADED, issuesTotal: 1, issues: [{ since: timestampFromMs(7) }] },
  });
});

test("US5: a kind that was sampled is as old as its last list, the others as the picture", async () => {
  const kept = pictures();
  const sampled = source("secrets", { stale: { sinceMs: 500, cause: "sampled", words: words("source/none"), everyMs: 30_000 } });
  const { settled: _, ...loading } = source("events");
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([source("pods"), sampled, loading]), asOfMs: 1_000 });
  const picture = await kept.pictureOf(ANN, SCOPE);
  expect(picture?.sources.map(({ staleSince }) => staleSince)).toEqual([timestampFromMs(1_000), timestampFromMs(500), undefined]);
});

test("US5, T23: a kind that is forbidden takes a picture away that shows it, also before another one is whole", async () => {
  const kept = pictures();
  const forbidden = source("secrets", { settled: "forbidden" });
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([source("pods"), source("secrets")]), asOfMs: 1_000 });
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([forbidden], false), asOfMs: 2_000 });
  expect(await kept.pictureOf(ANN, SCOPE)).toBeUndefined();
  expect(kept.summaryOf(ANN, SCOPE)).toBeUndefined();
});

test("US5: a kind that was forbidden before as well takes nothing away", async () => {
  const kept = pictures();
  const forbidden = source("secrets", { settled: "forbidden" });
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([source("pods"), forbidden]), asOfMs: 1_000 });
  kept.rememberView(ANN, SCOPE, { snapshot: snapshot([forbidden], false), asOfMs: 2_000 });
  const picture = await kept.pictureOf(ANN, SCOPE);
  expect(picture?.sources.map(({ settled }) => settled)).toEqual([SettledState.LIVE, SettledState.FORBIDDEN]);
});

test("US5: a line of the index never gets older, and is never called live", () => {
  const kept = pictures();
  const facts = (asOfMs: number): SummaryFacts => ({
    health: snapshot([]).health,
    workloads: 1,
    workloadsReady: 1,
    workloadsSuspended: 0,
    changedMs: 0,
    asOfMs,
    freshness: { kind: "live" },
    workloadsOnly: false,
  });
  kept.rememberSummary(ANN, SCOPE, facts(2_000));
  kept.rememberSummary(ANN, SCOPE, facts(1_000));
  expect(kept.summaryOf(ANN, SCOPE)).toMatchObject({
    asOfMs: 2_000,
    freshness: { kind: "sampled" },
    health: { status: HealthStatus.DEGRADED, issuesTotal: 1, issues: [{ since: timestampFromMs(7) }] },
  });
  kept.forgetSummary(ANN, SCOPE);
  expect(kept.summaryOf(ANN, SCOPE)).toBeUndefined();
});
