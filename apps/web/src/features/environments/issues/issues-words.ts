import { formatClock } from "../../../ui/format-time.ts";
import type { KnownRow } from "../index-words.ts";
import type { IssueList } from "./listed-issues.ts";

/**
 * What is under the heading: "12 issues in 3 environments; issues of 2 environments not known yet". "No issues" only when every row that
 * the viewer may see is known and of now.
 */
export function issuesSummary(list: IssueList, rows: readonly KnownRow[], nowMs: number): string {
  const seen = rows.filter(({ knowledge }) => knowledge.kind !== "outside");
  if (seen.length === 0) return rows.length === 0 ? "" : `None of ${counted(rows.length, "environment")} is visible to you.`;
  const gaps = gapsOf(seen, nowMs);
  if (list.total > 0) return `${[`${counted(list.total, "issue")} in ${counted(list.environments, "environment")}`, ...gaps].join("; ")}.`;
  if (gaps.length === 0) return `No issues in ${counted(seen.length, "environment")}.`;
  const isAnyKnown = seen.some(({ knowledge }) => knowledge.kind !== "unknown");
  return `${(isAnyKnown ? ["No issues as far as is known", ...gaps] : gaps).join("; ")}.`.replace(/^i/, "I");
}

/** Of how many environments nothing, or nothing of now, is known. */
function gapsOf(seen: readonly KnownRow[], nowMs: number): readonly string[] {
  const unknown = seen.filter(({ knowledge }) => knowledge.kind === "unknown").length;
  const old = seen.flatMap(({ knowledge }) => (knowledge.kind === "old" ? [knowledge.asOfMs] : []));
  const partial = seen.filter(({ row }) => row.health?.partial === true || row.workloadsOnly).length;
  return [
    ...(unknown > 0 ? [`issues of ${counted(unknown, "environment")} not known yet`] : []),
    ...(old.length > 0 ? [`${counted(old.length, "environment")} as of ${formatClock(Math.min(...old), nowMs)}`] : []),
    ...(partial > 0 ? [`${counted(partial, "environment")} seen in part`] : []),
  ];
}

/** "1 issue", "2 issues". */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
