import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { EnvironmentRowSchema, HealthStatus, type IssueGroupSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { parseIndexState } from "../../address/index-state.ts";
import type { KnownRow } from "../index-words.ts";
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

test("a notice is no status, and what began nobody knows when says so", () => {
  const page = html(row("production", [issue("web", { status: HEALTHY, notice: true, membersTotal: 1 })]));
  expect(page).toContain("since: not known");
  expect(page).toContain(">Notice</span>");
  expect(page).not.toContain("Healthy");
});

test("the address filters; what it hides is said, with the way back", () => {
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
