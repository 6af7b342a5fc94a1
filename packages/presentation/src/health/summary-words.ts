import type { ActivityCount, Delivery, EnvironmentHealth } from "@binnacle/proto/dashboard";
import { Activity, HealthStatus } from "@binnacle/proto/dashboard-enums";
import { formatClock, millisOf } from "../text/format-time.ts";
import { t } from "../text/messages.ts";
import { lookOf, type StateLook } from "./health-status.ts";
import { words, type Words } from "@binnacle/words";
import { deliveryClause } from "./delivery-clause.ts";
import { isSyncIssue } from "./with-sync-issues.ts";
import type { PageWordsId } from "@binnacle/words/en/page";

const VERBS: Readonly<Record<number, PageWordsId>> = {
  [HealthStatus.UNKNOWN]: "environment/are/unknown",
  [HealthStatus.DEGRADED]: "environment/are/degraded",
  [HealthStatus.MISSING]: "environment/are/missing",
  [HealthStatus.PROGRESSING]: "environment/are/progressing",
  [HealthStatus.SUSPENDED]: "environment/are/suspended",
};

const ACTIVITIES: Readonly<Record<number, PageWordsId>> = {
  [Activity.NOT_READY]: "environment/activity/not-ready",
  [Activity.ROLLING_OUT]: "environment/activity/rolling-out",
  [Activity.STARTING]: "environment/activity/starting",
  [Activity.WAITING]: "environment/activity/waiting",
  [Activity.DELETING]: "environment/activity/deleting",
  [Activity.RUNNING]: "environment/activity/running",
  [Activity.IN_PROGRESS]: "environment/activity/in-progress",
};

/** Nodes that are named in one clause. */
const MAX_NODES = 3;

/** Whether the roll-up may be shown: a part of the kinds can prove a problem, never the absence of one. */
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
  return t("environment/summary/counts", { count, total });
}

/** An environment in one line. */
export interface Headline {
  readonly main: string;
  /** What follows in smaller letters; may be empty. */
  readonly rest: string;
  /** Its health, or that of its delivery where that is worse. */
  readonly look: StateLook;
}

/**
 * The headline of an environment, on its page, in the first HTML and in the index: the worst of its health first, with what is wrong with its delivery,
 * then the rest. Which kinds are not visible stands in the pill *Access*, once.
 */
export function headlineOf(health: EnvironmentHealth, delivery: Delivery | undefined, nowMs: number): Headline {
  const look = health.status < HealthStatus.MISSING && delivery?.issues.some(({ notice }) => !notice) ? "degraded" : lookOf(health.status);
  return { ...sentenceOf(health, { delivery: deliveryClause(delivery), nowMs }), look };
}

function sentenceOf(
  health: EnvironmentHealth,
  { delivery, nowMs }: { readonly delivery: Words | undefined; readonly nowMs: number },
): Pick<Headline, "main" | "rest"> {
  const total = totalOf(health);
  const verb = VERBS[health.status];
  const partial = health.partial ? t(health.hidden.length === 0 ? "environment/summary/unread" : "environment/summary/hidden") : "";
  if (total === 0) return { main: t("environment/summary/nothing", { delivery }), rest: partial };
  if (verb === undefined) {
    const count = health.issuesTotal - health.issues.filter(isSyncIssue).length;
    const issues = count === 0 ? "" : t("environment/summary/issues", { count });
    return {
      main: t("environment/summary/healthy", { total, delivery }),
      rest: [issues, partial].filter((part) => part !== "").join(" "),
    };
  }
  const sinceMs = worstSinceMs(health);
  const at = sinceMs === undefined ? undefined : formatClock(sinceMs, nowMs);
  const [{ count, what } = { count: 0, what: words(verb, { count: 0 }) }] = whatOf(health, health.status, "together");
  const others = health.counts
    .filter((each) => each.status !== health.status && VERBS[each.status] !== undefined && each.count > 0)
    .sort((left, right) => right.status - left.status)
    .flatMap(({ status }) => whatOf(health, status, "apart"))
    .map((each) => t("environment/summary/more", { ...each }));
  return {
    main: t("environment/summary/worst", { count, total, what, at, delivery }),
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
  return checked === 0 ? "" : t("environment/summary/totals", { resources, checked, workloads: workloads || undefined });
}

interface Clause {
  readonly count: number;
  readonly what: Words;
}

/** What the resources of a status do: in one clause, or in one for each activity. */
function whatOf(health: EnvironmentHealth, status: HealthStatus, how: "together" | "apart"): readonly Clause[] {
  const [count, verb] = [countOf(health, status), VERBS[status]];
  if (verb === undefined) return [];
  const known = health.activities.filter((each) => each.status === status).flatMap(clauseOf);
  const left = count - known.reduce((sum, each) => sum + each.count, 0);
  const [first] = known;
  if (first === undefined || left < 0) return [{ count, what: words(verb, { count }) }];
  if (left === 0 && known.length === 1) return [first];
  if (how === "apart") return left === 0 ? known : [...known, { count: left, what: words(verb, { count: left }) }];
  const parts = known.map((each) => words("environment/activity/part", { ...each }));
  return [{ count, what: words(verb, { count, parts }) }];
}

function clauseOf({ activity, count, nodes }: ActivityCount): readonly Clause[] {
  const id = ACTIVITIES[activity];
  if (id === undefined || count === 0) return [];
  const named = nodes.slice(0, MAX_NODES);
  return [{ count, what: words(id, { count, ...(named.length === 0 ? {} : { nodes: named, several: named.length }) }) }];
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
