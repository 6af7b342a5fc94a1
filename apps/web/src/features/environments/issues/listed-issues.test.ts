import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EnvironmentRowSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { describe, expect, test } from "vitest";
import type { KnownRow } from "@binnacle/presentation/environments/index-words";
import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { issuesSummary } from "./issues-view.tsx";
import { listIssues, type IssueQuestion } from "./listed-issues.ts";

const NOW_MS = Date.parse("2026-01-01T12:30:00Z");
const ALL: IssueQuestion = { q: "", health: [], onlyNew: false, order: "", nowMs: NOW_MS };
const FRESH: RowKnowledge = { kind: "fresh" };

interface SampleIssue {
  readonly name: string;
  readonly agoMs?: number;
  readonly status?: HealthStatus;
}

function row(
  name: string,
  issues: readonly SampleIssue[] | undefined,
  more: { readonly knowledge?: RowKnowledge; readonly total?: number } = {},
) {
  const { knowledge = FRESH, total = issues?.length ?? 0 } = more;
  const health = issues && {
    issuesTotal: total,
    issues: issues.map(({ name: key, agoMs, status = HealthStatus.DEGRADED }) => ({
      key,
      status,
      reason: "Broken",
      membersTotal: 1,
      members: [{ ref: { kind: "Pod", name: key }, status }],
      ...(agoMs === undefined ? {} : { since: timestampFromMs(NOW_MS - agoMs) }),
    })),
  };
  return { row: create(EnvironmentRowSchema, { environment: { name }, ...(health && { health }) }), knowledge } satisfies KnownRow;
}

function linesOf(rows: readonly KnownRow[], question: Partial<IssueQuestion> = {}): readonly string[] {
  const { lines } = listIssues(rows, { ...ALL, ...question });
  return lines.map((line) => {
    const name = line.row.environment?.name ?? "";
    return line.kind === "issue" ? `${name}: ${line.issue.key}` : `${name}: ${line.count} more`;
  });
}

const production = row("production", [{ name: "a", agoMs: 7_200_000 }, { name: "b" }], { total: 14 });
const staging = row("staging", [{ name: "a", agoMs: 60_000, status: HealthStatus.PROGRESSING }]);

test("issues of all environments stand in one order, and below them how many are not listed, with their environment", () => {
  expect(linesOf([staging, production])).toEqual(["production: a", "production: b", "staging: a", "production: 12 more"]);
  expect(linesOf([production, staging], { order: "newest" }).slice(0, 2)).toEqual(["staging: a", "production: a"]);
  const { total, environments, fresh, shown } = listIssues([production, staging], ALL);
  expect({ total, environments, fresh, shown }).toEqual({ total: 15, environments: 2, fresh: 1, shown: 3 });
});

test("the search finds the environment, and the number of unlisted issues stays", () => {
  expect(linesOf([production, staging], { q: "STAG" })).toEqual(["staging: a", "production: 12 more"]);
  expect(linesOf([production, staging], { onlyNew: true })).toEqual(["staging: a", "production: 12 more"]);
  expect(linesOf([production, staging], { health: ["progressing"] })).toEqual(["staging: a", "production: 12 more"]);
});

test("of an environment that the viewer may not see nothing is listed, whatever is still known of it", () => {
  const secret = row("secret", [{ name: "a" }], { knowledge: { kind: "outside" }, total: 9 });
  expect(linesOf([secret])).toEqual([]);
  expect(listIssues([secret], ALL)).toMatchObject({ total: 0, environments: 0, fresh: 0 });
});

test("2,000 environments with fifty issues each are listed", () => {
  const issues = Array.from({ length: 50 }, (_, n) => ({ name: `i${n}`, agoMs: n }));
  const rows = Array.from({ length: 2_000 }, (_, n) => row(`e${n}`, issues));
  expect(listIssues(rows, ALL).shown).toBe(100_000);
});

const UNKNOWN: RowKnowledge = { kind: "unknown", why: "loading" };
const OLD: RowKnowledge = { kind: "old", asOfMs: NOW_MS - 60_000, why: "agent-offline" };
const summary = (...rows: readonly KnownRow[]): string => issuesSummary(listIssues(rows, ALL), rows, NOW_MS);

test("UB1: the summary states that there are no issues only when all is known and current", () => {
  const [calm, unknown, old] = [row("calm", []), row("new", undefined, { knowledge: UNKNOWN }), row("old", [], { knowledge: OLD })];
  expect(summary(calm)).toBe("No issues in 1 environment.");
  expect(summary(unknown, unknown)).toBe("Issues of 2 environments not known yet.");
  expect(summary(calm, unknown)).toBe("Issues of 1 environment not known yet; no issue known so far.");
  expect(summary(calm, old)).toMatch(/^1 environment as of \d\d:29; no issue known so far\.$/);
  expect(summary(production, staging, unknown)).toBe("15 issues in 2 environments; issues of 1 environment not known yet.");
  expect(summary(row("secret", undefined, { knowledge: { kind: "outside" } }))).toBe("None of 1 environment is visible to you.");
});

test("UB1: what was seen only in part is no all-clear either", () => {
  const part = row("part", []);
  part.row.workloadsOnly = true;
  expect(summary(part)).toBe("1 environment partly visible; no issue known so far.");
});

describe("S2: a node that is to blame in several environments is one issue", () => {
  interface Lost {
    readonly node?: string;
    readonly agoMs?: number;
    readonly pods?: number;
    readonly morePods?: boolean;
    readonly namespace?: string;
    readonly issuesTotal?: number;
  }
  const lost = (name: string, agentId: bigint, more: Lost = {}): KnownRow => {
    const { node = "bench-1", agoMs = 60_000, namespace = name, issuesTotal = 1, ...pods } = more;
    const issue = {
      key: `object//Node//${node}#node/not-ready`,
      node,
      reason: "NodeLost",
      status: HealthStatus.DEGRADED,
      membersTotal: 2,
      members: [{ ref: { kind: "Deployment", name: "web" }, status: HealthStatus.DEGRADED }],
      since: timestampFromMs(NOW_MS - agoMs),
      ...pods,
    };
    return {
      row: create(EnvironmentRowSchema, { environment: { name, agentId, namespace }, health: { issues: [issue], issuesTotal } }),
      knowledge: FRESH,
    };
  };
  const listed = (...rows: readonly KnownRow[]) => {
    const { lines, total, shown } = listIssues(rows, ALL);
    const places = lines.flatMap((line) =>
      line.kind === "issue" ? [[line, ...line.elsewhere].map((each) => each.row.environment?.name).join(" ")] : [],
    );
    return { places, total, shown };
  };

  test("S2: with all its environments, the one where it began first in front", () => {
    expect(listed(lost("production", 7n), lost("staging", 7n, { agoMs: 120_000 }), lost("preview", 7n))).toEqual({
      places: ["staging preview production"],
      total: 1,
      shown: 1,
    });
  });

  test("S2: another node, and a node of that name at another agent, is another issue", () => {
    const rows = [lost("production", 7n), lost("staging", 8n), lost("preview", 7n, { node: "bench-2" })];
    expect(listed(...rows)).toMatchObject({ total: 3, shown: 3 });
  });

  test("S2: nothing is joined while the agent is not known", () => {
    expect(listed(lost("production", 0n), lost("staging", 0n))).toMatchObject({ total: 2, shown: 2 });
  });

  const podsOf = (...rows: readonly KnownRow[]) =>
    listIssues(rows, ALL).lines.flatMap((line) => (line.kind === "issue" ? [line.pods] : []))[0];
  const unknown = (agentId: bigint): KnownRow => ({
    row: create(EnvironmentRowSchema, { environment: { name: "integration", agentId } }),
    knowledge: { kind: "unknown", why: "loading" },
  });
  const outside = (agentId: bigint): KnownRow => ({ ...unknown(agentId), knowledge: { kind: "outside" } });

  test("S2: its pods are those of all its environments; two that show the same namespace have the same pods", () => {
    expect(podsOf(lost("production", 7n, { pods: 4 }), lost("staging", 7n, { pods: 3 }))).toEqual({ count: 7, atLeast: false });
    expect(podsOf(lost("production", 7n, { pods: 4, namespace: "a" }), lost("copy", 7n, { pods: 4, namespace: "a" }))).toEqual({
      count: 4,
      atLeast: false,
    });
  });

  test.each<[string, readonly KnownRow[]]>([
    ["the number of one environment is not known", [lost("staging", 7n)]],
    ["not all pods of one environment are known", [lost("staging", 7n, { pods: 0, morePods: true })]],
    ["an environment of the agent is not known yet", [unknown(7n)]],
    ["an environment of the agent may not be seen", [outside(7n)]],
    ["not all issues of another environment are listed", [lost("staging", 7n, { node: "bench-2", pods: 1, issuesTotal: 60 })]],
  ])("S2: there are at least as many pods while %s", (_what, rows) => {
    expect(podsOf(lost("production", 7n, { pods: 4 }), ...rows)).toEqual({ count: 4, atLeast: true });
  });

  test("S2: what is not known of another agent says nothing of the node", () => {
    expect(podsOf(lost("production", 7n, { pods: 4 }), unknown(8n), outside(8n))).toEqual({ count: 4, atLeast: false });
    expect(podsOf(lost("production", 7n), unknown(7n))).toBeUndefined();
  });

  test("S2: the search finds it by any of its environments", () => {
    const { lines } = listIssues([lost("production", 7n), lost("staging", 7n)], { ...ALL, q: "stag" });
    expect(lines.length).toBe(1);
  });
});
