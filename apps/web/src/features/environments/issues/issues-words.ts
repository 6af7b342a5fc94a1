import { formatClock } from "../../../ui/format-time.ts";
import type { KnownRow } from "../index-words.ts";
import type { IssueList } from "./listed-issues.ts";
import { say } from "../../../ui/said.ts";
import { words, type Words } from "@binnacle/words";

/**
 * What is under the heading: "12 issues in 3 environments; issues of 2 environments not known yet". "No issues" only when every row that
 * the viewer may see is known and of now.
 */
export function issuesSummary(list: IssueList, rows: readonly KnownRow[], nowMs: number): string {
  const seen = rows.filter(({ knowledge }) => knowledge.kind !== "outside");
  if (seen.length === 0) return rows.length === 0 ? "" : say("environments/issues/outside", { environments: environments(rows.length) });
  const gaps = gapsOf(seen, nowMs);
  if (list.total > 0) {
    const issues = words("environments/counted/issues", { count: list.total });
    return sentence([say("environments/issues/in", { issues, environments: environments(list.environments) }), ...gaps]);
  }
  if (gaps.length === 0) return say("environments/issues/none", { environments: environments(seen.length) });
  const isAnyKnown = seen.some(({ knowledge }) => knowledge.kind !== "unknown");
  return sentence(isAnyKnown ? [...gaps, say("environments/issues/none-known")] : gaps);
}

/** Of how many environments nothing, or nothing of now, is known. */
function gapsOf(seen: readonly KnownRow[], nowMs: number): readonly string[] {
  const unknown = seen.filter(({ knowledge }) => knowledge.kind === "unknown").length;
  const old = seen.flatMap(({ knowledge }) => (knowledge.kind === "old" ? [knowledge.asOfMs] : []));
  const partial = seen.filter(({ row }) => row.health?.partial === true || row.workloadsOnly).length;
  return [
    ...(unknown > 0 ? [say("environments/issues/unknown", { environments: environments(unknown) })] : []),
    ...(old.length > 0
      ? [say("environments/issues/as-of", { environments: environments(old.length), at: formatClock(Math.min(...old), nowMs) })]
      : []),
    ...(partial > 0 ? [say("environments/issues/partial", { environments: environments(partial) })] : []),
  ];
}

function sentence(parts: readonly string[]): string {
  return say("environments/issues/sentence", { what: parts.join("; ") });
}

/** "1 environment", "2 environments". */
function environments(count: number): Words {
  return words("environments/counted/environments", { count });
}
