import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EnvironmentRowSchema, HealthStatus, type IssueGroupSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { parseIndexState } from "../../address/index-state.ts";
import type { KnownRow } from "@binnacle/presentation/environments/index-words";
import { IssuesBoard } from "./issues-view.tsx";

let query = "";
beforeEach(() => {
  query = "";
});

const NOW_MS = Date.parse("2026-01-01T12:30:00Z");
const { DEGRADED, HEALTHY } = HealthStatus;

type IssueInit = MessageInitShape<typeof IssueGroupSchema>;

function row(name: string, issues: IssueInit[], total = issues.length): KnownRow {
  const health = { issues, issuesTotal: total };
  return { row: create(EnvironmentRowSchema, { environment: { name, projectPath: "harbor/shop" }, health }), knowledge: { kind: "fresh" } };
}

function issue(name: string, more: Omit<IssueInit, "$typeName"> = {}): IssueInit {
  const words = toWordsMessage(quoted(`${name} <i>is</i> broken`));
  const members = [{ ref: { kind: "Deployment", name }, status: DEGRADED }];
  return { key: name, status: DEGRADED, reason: "Broken", words, membersTotal: 63, members, kinds: ["Deployment"], ...more };
}

function html(...rows: readonly KnownRow[]): string {
  return renderToStaticMarkup(
    <IssuesBoard rows={rows} nowMs={NOW_MS} url={parseIndexState(new URLSearchParams(query))} setUrl={() => {}} />,
  );
}

test("a line has the title, the sentence as text, its environment as a link, since when, and how many it concerns", () => {
  const page = html(row("review/1", [issue("web", { since: timestampFromMs(NOW_MS - 60_000) })], 13));
  expect(page).toContain('href="/p/harbor/shop/environments/review%2F1?view=summary&amp;unfolded=issues">web and 62 more: “Broken”</a>');
  expect(page).toContain("web &lt;i&gt;is&lt;/i&gt; broken");
  expect(page).toContain('href="/p/harbor/shop/environments/review%2F1">review/1</a>');
  expect(page).toContain("63 resources");
  expect(page).toContain('New in the last hour <b class="num">1</b>');
  expect(page).toContain("… and 12 more in review/1: ");
  expect(page).toContain("1 of 13 issues");
});

test("S2: a node that is not ready is called by its name, which leads to its page, and by the number of its pods", () => {
  const lost = { key: "object//Node//bench-1#node/not-ready", node: "bench-1", reason: "NodeLost", pods: 4 };
  const sentence = toWordsMessage(words("node/lost", { name: "bench-1", pod: "web-0" }));
  const rows = ["production", "staging"].map((name) => {
    const known = row(name, [issue("web", { ...lost, words: sentence })]);
    Object.assign(known.row.environment ?? {}, { agentId: 7n, namespace: name });
    return known;
  });
  const page = html(...rows);
  const node =
    '<a translate="no" title="bench-1" href="/p/harbor/shop/environments/production?view=summary&amp;sel=core%2Fnodes%2F%2Fbench-1">bench-1</a>';
  expect(page).toContain(
    `<h2>Node ${node} is not ready: <a href="/p/harbor/shop/environments/production?view=summary&amp;unfolded=issues">`,
  );
  expect(page).toContain(">8 pods in 2 environments</a></h2>");
  expect(page).toContain(`The node ${node} of pod web-0 is not ready`);
  rows[0]?.row.health?.issues.forEach((each) => (each.morePods = true));
  expect(html(...rows)).toContain(">at least 8 pods in 2 environments</a></h2>");
});

test("a notice has no status, and an unknown begin is shown as unknown", () => {
  const page = html(row("production", [issue("web", { status: HEALTHY, notice: true, membersTotal: 1 })]));
  expect(page).toContain("since: not known");
  expect(page).toContain(">Notice</span>");
  expect(page).not.toContain("Healthy");
});

test("the address filters; the view shows how many are hidden, and a button that clears the filter", () => {
  query = "q=api&new=1";
  const page = html(row("production", [issue("web")]));
  expect(page).toContain("No issue matches. 1 hidden by filters.");
  expect(page).toContain("Clear filters");
  expect(page).toContain('aria-pressed="true">New in the last hour');
});

test("a sentence of a megabyte is cut, and of thousands of issues few are in the HTML", () => {
  const long = issue("long", { words: toWordsMessage(quoted("x".repeat(1_000_000))) });
  const rows = Array.from({ length: 500 }, (_, n) => row(`e${n}`, [issue("web"), issue("api")]));
  expect(html(...rows).match(/data-issue=/g)).toHaveLength(30);
  expect(html(row("production", [long])).length).toBeLessThan(10_000);
});
