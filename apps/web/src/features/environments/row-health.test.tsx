import {
  DeliverySchema,
  EnvironmentHealthSchema,
  EnvironmentRowSchema,
  GitopsState,
  HealthStatus,
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
