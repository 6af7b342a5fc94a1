import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { formatClock, millisOf } from "../../ui/format-time.ts";

const VERBS: Readonly<Record<number, readonly [string, string]>> = {
  [HealthStatus.UNKNOWN]: ["could not be evaluated", "could not be evaluated"],
  [HealthStatus.DEGRADED]: ["is degraded", "are degraded"],
  [HealthStatus.MISSING]: ["is missing", "are missing"],
  [HealthStatus.PROGRESSING]: ["is rolling out", "are rolling out"],
  [HealthStatus.SUSPENDED]: ["is suspended", "are suspended"],
};

/** Whether the roll-up may be told: half of the kinds can say that something is wrong, never that nothing is. */
export function isHealthKnown({
  health,
  complete,
  firstAsOfMs,
}: {
  readonly health?: EnvironmentHealth | undefined;
  readonly complete: boolean;
  /** It is of all kinds, as of a time. */
  readonly firstAsOfMs?: number | undefined;
}): boolean {
  return health !== undefined && (complete || firstAsOfMs !== undefined || VERBS[health.status] !== undefined);
}

/** "1 of 9 roots" for the pill; all of them when healthy. */
export function healthCounts(health: EnvironmentHealth): string {
  const total = totalOf(health);
  const count = countOf(health, health.status);
  if (total === 0) return "";
  return count === total ? `${total} of ${total}` : `${count} of ${total}`;
}

/** The sentence of the summary: the worst first, then the rest. */
export function healthSentence(health: EnvironmentHealth, nowMs: number): { readonly main: string; readonly rest: string } {
  const total = totalOf(health);
  const verbs = VERBS[health.status];
  const partial = health.partial ? partialWords(health.hidden) : "";
  if (total === 0) return { main: "Nothing here has a health.", rest: partial };
  if (verbs === undefined) {
    const issues = health.issuesTotal === 0 ? "" : `${health.issuesTotal} ${health.issuesTotal === 1 ? "issue" : "issues"} beside that.`;
    return { main: `All ${total} top-level resources are healthy.`, rest: [issues, partial].filter((part) => part !== "").join(" ") };
  }
  const count = countOf(health, health.status);
  const sinceMs = worstSinceMs(health);
  const when = sinceMs === undefined ? "" : ` since ${formatClock(sinceMs, nowMs)}`;
  const others = health.counts
    .filter((each) => each.status !== health.status && VERBS[each.status] !== undefined && each.count > 0)
    .sort((left, right) => right.status - left.status)
    .map((each) => `${each.count} more ${(VERBS[each.status] ?? ["", ""])[each.count === 1 ? 0 : 1]}.`);
  return {
    main: `${count} of ${total} top-level resources ${verbs[count === 1 ? 0 : 1]}${when}.`,
    rest: [...others, partial].filter((part) => part !== "").join(" "),
  };
}

/** Since when the worst is so; `undefined` when that is not known. */
export function worstSinceMs({ issues }: EnvironmentHealth): number | undefined {
  return issues[0]?.since && millisOf(issues[0].since);
}

function partialWords(hidden: readonly string[]): string {
  if (hidden.length === 0) return "Not all of it could be read.";
  const more = hidden.length > 3 ? ` and ${hidden.length - 3} more kinds` : "";
  return `Not visible to you: ${hidden.slice(0, 3).join(", ")}${more}.`;
}

function totalOf(health: EnvironmentHealth): number {
  return health.counts.reduce((sum, each) => sum + each.count, 0);
}

function countOf(health: EnvironmentHealth, status: HealthStatus): number {
  return health.counts.find((each) => each.status === status)?.count ?? 0;
}
