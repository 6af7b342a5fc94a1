import { HealthStatus, type EnvironmentHealth } from "@binnacle/proto/dashboard";
import { formatClock, millisOf } from "../../ui/format-time.ts";

const VERBS: Readonly<Record<number, readonly [string, string]>> = {
  [HealthStatus.UNKNOWN]: ["could not be evaluated", "could not be evaluated"],
  [HealthStatus.DEGRADED]: ["is degraded", "are degraded"],
  [HealthStatus.MISSING]: ["is missing", "are missing"],
  [HealthStatus.PROGRESSING]: ["is rolling out", "are rolling out"],
  [HealthStatus.SUSPENDED]: ["is suspended", "are suspended"],
};

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
  const partial = health.partial ? `Not visible to you: ${namesOf(health.hidden)}.` : "";
  if (total === 0) return { main: "Nothing here has a health.", rest: partial };
  if (verbs === undefined) return { main: `All ${total} resources are healthy.`, rest: partial };
  const count = countOf(health, health.status);
  const since = health.causes[0]?.why?.firstBadAt ?? health.causes[0]?.since;
  const when = since === undefined ? "" : ` since ${formatClock(millisOf(since), nowMs)}`;
  const others = health.counts
    .filter((each) => each.status !== health.status && VERBS[each.status] !== undefined && each.count > 0)
    .sort((left, right) => right.status - left.status)
    .map((each) => `${each.count} more ${(VERBS[each.status] ?? ["", ""])[each.count === 1 ? 0 : 1]}.`);
  return {
    main: `${count} of ${total} resources ${verbs[count === 1 ? 0 : 1]}${when}.`,
    rest: [...others, partial].filter((part) => part !== "").join(" "),
  };
}

function namesOf(hidden: readonly string[]): string {
  const more = hidden.length > 3 ? ` and ${hidden.length - 3} more kinds` : "";
  return hidden.length === 0 ? "some kinds" : `${hidden.slice(0, 3).join(", ")}${more}`;
}

function totalOf(health: EnvironmentHealth): number {
  return health.counts.reduce((sum, each) => sum + each.count, 0);
}

function countOf(health: EnvironmentHealth, status: HealthStatus): number {
  return health.counts.find((each) => each.status === status)?.count ?? 0;
}
