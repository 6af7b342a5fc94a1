import { issuesHeading, shownIssues } from "@binnacle/presentation/health/issue-words";
import { keyOfStatus, wordOf } from "@binnacle/presentation/health/health-status";
import { t } from "@binnacle/presentation/text/messages";
import type { ViewState } from "@binnacle/presentation/view/view-state";
import { markInvisible } from "@binnacle/words";

import type { NamedEnvironment } from "../connection/session.ts";
import { timeText } from "../output/documents.ts";
import type { Styles } from "../output/styles.ts";
import { issueDocument, issueLine, issueText } from "./issue-text.ts";
import type { Verdict } from "./verdict.ts";

/** What a report is made of. */
export interface Report {
  readonly named: NamedEnvironment;
  readonly view: ViewState;
  readonly verdict: Verdict;
  /** The server's time. */
  readonly nowMs: number;
}

/** The headline, who is away, and the titles of what is wrong. */
export function statusText({ view, verdict, nowMs }: Report, styles: Styles): string {
  const { health } = verdict;
  const issues = health?.issues ?? [];
  const { shown, more } = shownIssues(issues, false);
  return linesOf([
    ...headLines(verdict, styles),
    ...(health === undefined || issues.length === 0 ? [] : [issuesHeading(health, view.complete)]),
    ...shown.map((issue) => `  ${issueLine(issue, styles, nowMs)}`),
    ...(more === 0 ? [] : [`  ${t("ui/and-more", { count: more })}`]),
  ]);
}

/** The headline, and everything about each issue. */
export function whyText({ view, verdict, nowMs }: Report, styles: Styles): string {
  const { health } = verdict;
  const issues = health?.issues ?? [];
  return linesOf([
    ...headLines(verdict, styles),
    ...(health === undefined || issues.length === 0 ? [] : [issuesHeading(health, view.complete)]),
    ...issues.flatMap((issue) => ["", issueText(issue, styles, nowMs)]),
  ]);
}

/** The same for programs. */
export function reportDocument({ named, view, verdict }: Report, exitCode: number) {
  const { health, freshness, look, sentence, rest, gap } = verdict;
  const { environment } = view;
  const deployment = environment?.delivery?.lastDeployment?.value;
  return {
    format: "binnacle.status",
    version: 1,
    project: named.projectPath,
    environment: named.environment,
    status: look,
    exitCode,
    health: health === undefined ? null : { status: keyOfStatus(health.status), partial: health.partial, hidden: health.hidden },
    sentence: [sentence, rest].filter((text) => text !== "").join(" "),
    gap,
    connection: freshness.kind,
    asOf: timeText("asOfMs" in freshness ? freshness.asOfMs : undefined),
    counts: Object.fromEntries((health?.counts ?? []).map(({ status, count }) => [keyOfStatus(status), count])),
    deployment: deployment === undefined ? null : { sha: deployment.sha, ref: deployment.ref, title: deployment.title },
    issues: (health?.issues ?? []).map(issueDocument),
    issuesTotal: health?.issuesTotal ?? 0,
  };
}

/** The status in a word, for progress: "Degraded". */
export function wordOfVerdict({ health, sentence }: Verdict): string {
  return health === undefined ? sentence : wordOf(health.status);
}

function headLines({ look, sentence, rest, gap, health }: Verdict, styles: Styles): readonly string[] {
  const headline =
    health === undefined && gap !== ""
      ? []
      : [`${styles.look(look, styles.bold(markInvisible(sentence)))}${rest === "" ? "" : ` ${markInvisible(rest)}`}`];
  return [...headline, ...(gap === "" ? [] : [markInvisible(gap)])];
}

function linesOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
