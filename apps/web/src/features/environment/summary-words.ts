import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { formatClock, millisOf } from "../../ui/format-time.ts";
import { say } from "../../ui/said.ts";
import { words } from "@binnacle/words";
import type { PageWordsId } from "@binnacle/words/en/page";

const VERBS: Readonly<Record<number, PageWordsId>> = {
  [HealthStatus.UNKNOWN]: "environment/are/unknown",
  [HealthStatus.DEGRADED]: "environment/are/degraded",
  [HealthStatus.MISSING]: "environment/are/missing",
  [HealthStatus.PROGRESSING]: "environment/are/progressing",
  [HealthStatus.SUSPENDED]: "environment/are/suspended",
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
  return say("environment/summary/counts", { count, total });
}

/** The sentence of the summary: the worst first, then the rest. Which kinds are not visible stands in the pill *Access*, once. */
export function healthSentence(health: EnvironmentHealth, nowMs: number): { readonly main: string; readonly rest: string } {
  const total = totalOf(health);
  const verb = VERBS[health.status];
  const partial = health.partial ? say(health.hidden.length === 0 ? "environment/summary/unread" : "environment/summary/hidden") : "";
  if (total === 0) return { main: say("environment/summary/nothing"), rest: partial };
  if (verb === undefined) {
    const issues = health.issuesTotal === 0 ? "" : say("environment/summary/issues", { count: health.issuesTotal });
    return { main: say("environment/summary/healthy", { total }), rest: [issues, partial].filter((part) => part !== "").join(" ") };
  }
  const count = countOf(health, health.status);
  const sinceMs = worstSinceMs(health);
  const at = sinceMs === undefined ? undefined : formatClock(sinceMs, nowMs);
  const others = health.counts
    .filter((each) => each.status !== health.status && VERBS[each.status] !== undefined && each.count > 0)
    .sort((left, right) => right.status - left.status)
    .flatMap(({ status, count: more }) => {
      const verb = VERBS[status];
      return verb === undefined ? [] : [say("environment/summary/more", { count: more, what: words(verb, { count: more }) })];
    });
  return {
    main: say("environment/summary/worst", { count, total, what: words(verb, { count }), at }),
    rest: [...others, partial].filter((part) => part !== "").join(" "),
  };
}

/**
 * The one total of an environment, all its resources, and what the numbers of the headline and of the table of workloads are of it; empty while the
 * health counts nothing.
 */
export function totalsSentence(
  health: EnvironmentHealth,
  { resources, workloads }: { readonly resources: number; readonly workloads: number },
): string {
  const checked = totalOf(health);
  return checked === 0 ? "" : say("environment/summary/totals", { resources, checked, workloads: workloads || undefined });
}

/** Since when the worst is so; `undefined` when that is not known. */
export function worstSinceMs({ issues }: EnvironmentHealth): number | undefined {
  return issues[0]?.since && millisOf(issues[0].since);
}

function totalOf(health: EnvironmentHealth): number {
  return health.counts.reduce((sum, each) => sum + each.count, 0);
}

function countOf(health: EnvironmentHealth, status: HealthStatus): number {
  return health.counts.find((each) => each.status === status)?.count ?? 0;
}
