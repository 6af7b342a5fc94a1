import {
  DeliverySchema,
  EnvironmentHealthSchema,
  EnvironmentRowSchema,
  GitopsState,
  HealthStatus,
  ProblemKind,
  type EnvironmentHealth,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { withSyncIssues } from "@binnacle/presentation/health/with-sync-issues";
import { RowHealth } from "./row-health.tsx";

const { HEALTHY, DEGRADED } = HealthStatus;
const REFUSED = create(DeliverySchema, {
  sync: { value: { syncs: [{ state: GitopsState.INVALID, waitingCommits: 2 }] } },
  issues: [
    { key: '["sync","p","SyncRefused"]', reason: "SyncRefused", status: DEGRADED, title: toWordsMessage(words("sync-issue/refused")) },
  ],
});

function cell(init: MessageInitShape<typeof EnvironmentHealthSchema>): string {
  const health: EnvironmentHealth = withSyncIssues(create(EnvironmentHealthSchema, init), REFUSED);
  const row = create(EnvironmentRowSchema, { health, environment: { delivery: REFUSED } });
  return renderToStaticMarkup(<RowHealth row={row} knowledge={{ kind: "fresh" }} />).replaceAll(/<[^>]+>/g, "|");
}

test("ux-3: the row of a healthy environment says what is not deployed, in the words of its headline", () => {
  expect(cell({ status: HEALTHY, counts: [{ status: HEALTHY, count: 13 }] })).toMatch(
    /Healthy.*1 issue.*All 13 checked resources are healthy; the last 2 commits are not deployed\./,
  );
});

test("ux-3: beside the worst issue of its resources, too, which has a title in plain words", () => {
  const reasonWords = toWordsMessage(words("title/probe/silent"));
  const issue = { key: "a", status: DEGRADED, reason: "ReadinessProbePending", reasonWords, membersTotal: 1 };
  const html = cell({ status: DEGRADED, issues: [{ ...issue, members: [{ ref: { kind: "Deployment", name: "web" } }] }], issuesTotal: 1 });
  expect(html).toContain("Deployment web: readiness probe has not passed yet; the last 2 commits are not deployed");
  expect(html).not.toContain("ReadinessProbePending");
});

function cellWithout(id: "problem/agent-gone" | "problem/agent-lost" | "problem/agent-taken-off" | "problem/no-agent"): string {
  const problem = { kind: ProblemKind.NO_AGENT, words: toWordsMessage(words(id, { agent: "demo" })) };
  const row = create(EnvironmentRowSchema, { problem, environment: { name: "production" } });
  return renderToStaticMarkup(<RowHealth row={row} knowledge={{ kind: "outside" }} />).replaceAll(/<[^>]+>/g, "|");
}

test("a row whose agent has gone says so; one that never had one, or has none any more, has no agent that the viewer may see", () => {
  expect(cellWithout("problem/agent-lost")).toMatch(/Agent gone.*Agent demo was deleted, or is not shared with you any more\./);
  expect(cellWithout("problem/agent-gone")).toMatch(/Agent gone.*was deleted, or is not shared with you\./);
  expect(cellWithout("problem/agent-taken-off")).toMatch(/No visible agent.*Agent demo was taken off this environment\./);
  expect(cellWithout("problem/no-agent")).toMatch(/No visible agent/);
});
