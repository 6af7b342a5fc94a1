import { EnvironmentSchema, SettledState, SourceSchema } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { parseUrlState } from "../address/url-state.ts";
import { EnvironmentStore } from "../live/environment-store.ts";
import { scopeLines } from "@binnacle/presentation/export/export-scope";
import { exportScopeOf, type ExportFacts } from "./export-scope.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const environment = create(EnvironmentSchema, {
  name: "production",
  projectPath: "harbor/shop",
  namespace: "shop-prod",
  agentName: "north",
});
const VIEW = { ...new EnvironmentStore((flush) => flush()).view(), environment, complete: true };
const FACTS: ExportFacts = {
  subject: "list",
  view: VIEW,
  freshness: { kind: "live", asOfMs: NOW - 9_000 },
  url: parseUrlState(new URLSearchParams()),
  nowMs: NOW,
};

function source(resource: string, settled: SettledState, counts: { readonly shown?: number; readonly total?: number } = {}) {
  return create(SourceSchema, { resource, settled, ...counts });
}

test("what is current is of now, with the zone", () => {
  const scope = exportScopeOf(FACTS);
  expect(scope.asOf).toMatch(/^As of 2 Jan 2026, \d\d:04:05 \S+$/);
  expect(scopeLines(scope)).toEqual([
    "production of harbor/shop, shop-prod",
    "No filter",
    `${scope.asOf}. Agent north was connected.`,
    "Nothing is left out",
  ]);
});

test("while the agent is away it is of the last time that was known, and says since when", () => {
  const scope = exportScopeOf({ ...FACTS, freshness: { kind: "agent-offline", sinceMs: NOW - 60_000, asOfMs: NOW - 90_000 } });
  expect(scope.asOfMs).toBe(NOW - 90_000);
  expect(scope.connection).toMatch(/^Agent north has been offline since 2 Jan 2026, \d\d:03:05 \S+$/);
});

test("what is forbidden, cut, failing or not read yet is named, each kind once", () => {
  const sources = [
    source("secrets", SettledState.FORBIDDEN),
    source("secrets", SettledState.FORBIDDEN),
    source("pods", SettledState.TRUNCATED, { shown: 5, total: 9 }),
    source("jobs", SettledState.ERROR),
  ];
  expect(exportScopeOf({ ...FACTS, view: { ...VIEW, sources, complete: false }, gaps: ["12 hidden"] }).gaps).toEqual([
    "12 hidden",
    "secrets not visible to you",
    "jobs could not be read",
    "pods: 5 of 9 shown",
    "Not every kind had been read yet",
  ]);
});

test("the scope states the filter of issues and their order, and no filter of the address that does not apply to issues", () => {
  const url = parseUrlState(
    new URLSearchParams("q=web&kind=Pod&health=degraded&order=newest&problems=1&ns=shop&edges=owns&managed=direct"),
  );
  const filters = ["Search: web", "Kind: Pod", "Health: degraded", "Newest first"];
  expect(exportScopeOf({ ...FACTS, subject: "issues", url }).filters).toEqual(filters);
  expect(exportScopeOf({ ...FACTS, subject: "summary", url }).filters).toEqual(filters);
});

test("the scope states the filter of a list; it omits the search of a graph, which hides nothing", () => {
  const url = parseUrlState(new URLSearchParams("q=web&kind=Pod,Job&problems=1&edges=owns"));
  expect(exportScopeOf({ ...FACTS, url }).filters).toEqual(["Search: web", "Kind: Pod, Job", "Only problems"]);
  expect(exportScopeOf({ ...FACTS, subject: "graph", url }).filters).toEqual(["Kind: Pod, Job", "Only problems", "Lines: owns"]);
  const near = { ...url, around: "2,apps/deployments/shop/web" };
  expect(exportScopeOf({ ...FACTS, subject: "graph", url: near }).filters).toContain("Neighbours of deployments/web (2 steps)");
  expect(exportScopeOf({ ...FACTS, url: near }).filters).toHaveLength(3);
});
