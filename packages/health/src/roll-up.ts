import { words, type Words } from "@binnacle/words";

import { ActivityCounts, type ActivityCount } from "./activity.ts";
import { boundedWords } from "./bounded-words.ts";
import type { HealthRef, HealthResult } from "./health-result.ts";
import { HEALTH_ORDER, worstOf, type HealthStatus } from "./health-status.ts";
import { groupIssues, type IssueGroup, type Issues, type RootReason, type UnwellResource } from "./issue-groups.ts";
import { asNoticed, type NoticedResource } from "./noticed-resources.ts";
import { missingHealth } from "./missing-health.ts";
import { nameOfObject } from "./why/root-key.ts";
import { isCustomGroup } from "./kubernetes-groups.ts";
import { hasHealthRule } from "./rule-registry.ts";

/** A root of the ownership forest, or a ghost without an owner. */
export interface RollUpRoot {
  readonly ref: HealthRef;
  /** Result of `health`; `null` has no weight. */
  readonly health: HealthResult | null;
  /** Result of `whyOf` or `whyMissing`: roots with one root cause are one issue. Absent or null = it stands for itself. */
  readonly why?: RootReason | null | undefined;
}

/** A kind in scope that the viewer may not read, or of which not everything is known. */
export interface HiddenKind {
  /** API group, empty for core. */
  readonly group: string;
  readonly kind: string;
}

/** Options of a roll-up. */
export interface RollUpOptions {
  /** Kinds that are not readable in scope. */
  readonly hidden?: readonly HiddenKind[];
  /** Kinds of which nothing, or not everything, is known for other reasons. */
  readonly unknown?: readonly HiddenKind[];
  /** Whether a root counts; default: suspended Jobs and CronJobs, and Events, do not. */
  readonly weightOf?: (root: RollUpRoot) => Weight;
  /** Weights of whole kinds, as data: by "group/kind" ("batch/Job", "/Pod") or by kind alone; they go before `weightOf`. */
  readonly weights?: Readonly<Record<string, Weight>>;
  /**
   * Roots that ought to be there, for example of an inventory. When every one of them is gone, each is Missing; while one is
   * there, none is, for then the ghosts among the roots say what lacks. Those of a hidden or unknown kind are not known to be gone.
   */
  readonly expected?: readonly HealthRef[];
  /** Notices of resources, roots or not: those that are issues are among the issues, whatever the status is. */
  readonly noticed?: readonly NoticedResource[];
  /** What is not well below roots that do not say so: issues that change no status. */
  readonly below?: readonly RollUpRoot[];
}

/** Whether a root counts in a roll-up. */
export type Weight = "count" | "ignore";

/** Health of an environment. */
export interface RollUp extends Issues {
  /** Worst status of the roots that count; `null` when none has an opinion. */
  readonly status: HealthStatus | null;
  /** Of a kind with a health rule, or a custom kind, not everything is known: "Healthy (partial)" is not Healthy. */
  readonly partial: boolean;
  /** Stable word of the first issue; "AllHealthy", "HealthyPartial" or "NothingToRate" when there is none. */
  readonly reason: string;
  /** For people. */
  readonly message: Words;
  /** Roots that count, by status. */
  readonly counts: Readonly<Record<HealthStatus, number>>;
  /** What roots that count do, as far as their status does not say it. */
  readonly activities: readonly ActivityCount[];
  /** Kinds that are not readable, whether or not they make it partial; sorted. */
  readonly hidden: readonly HiddenKind[];
  /** What is intended, or may become an issue: in the form of issues, and in none of their numbers. */
  readonly uncounted: readonly IssueGroup[];
  /** How many of those there are, whether or not they are listed. */
  readonly uncountedTotal: number;
}

/**
 * Health of an environment: the worst of its roots that count, in HEALTH_ORDER. A status that is not Healthy never hides
 * another: the counts are always there, and everything that is not well is in an issue. What is suspended is so on purpose: it counts
 * as a status, and is listed beside the issues.
 */
export function rollUp(roots: readonly RollUpRoot[], options: RollUpOptions = {}): RollUp {
  const weightOf = options.weightOf ?? defaultWeight;
  const weights = new Map(Object.entries(options.weights ?? {}));
  const [hidden, unknown] = [inOrder(options.hidden), inOrder(options.unknown)];
  const partial = [...hidden, ...unknown].some(({ group, kind }) => hasHealthRule(group, kind) || isCustomGroup(group));
  const counts: Record<HealthStatus, number> = { Healthy: 0, Suspended: 0, Progressing: 0, Missing: 0, Degraded: 0, Unknown: 0 };
  const activities = new ActivityCounts();
  const noticed = asNoticed(options.noticed ?? []);
  const [unwell, beside]: [UnwellResource[], UnwellResource[]] = [[], []];
  for (const root of roots) {
    const { group, kind } = root.ref;
    const weight = weights.get(`${group}/${kind}`) ?? weights.get(kind);
    if (root.health === null) continue;
    const counted = (weight ?? weightOf(root)) === "count";
    if (counted) {
      counts[root.health.status] += 1;
      activities.add(root.health, root.why ?? undefined);
    }
    // By default a suspended Job has no weight and is listed only here; what a team leaves out is listed nowhere.
    if (root.health.status === "Suspended") {
      if (counted || weight === undefined) beside.push(unwellOf(root, root.health));
    } else if (counted && root.health.status !== "Healthy" && !followsFromOther(root)) unwell.push(unwellOf(root, root.health));
  }
  for (const gone of goneOf(roots, options.expected ?? [], [...hidden, ...unknown])) {
    counts.Missing += 1;
    unwell.push(gone);
  }
  const status = worstOf(HEALTH_ORDER.filter((each) => counts[each] > 0));
  const below = (options.below ?? []).flatMap((root) => (root.health === null ? [] : [unwellOf(root, root.health)]));
  const grouped = groupIssues([...unwell, ...below, ...noticed.issues]);
  const uncounted = groupIssues([...beside, ...noticed.uncounted]);
  const summary = summaryOf({ grouped, uncounted, counts, unwell: unwell.length + below.length }, partial, { hidden, unknown });
  const asides = { uncounted: uncounted.issues, uncountedTotal: uncounted.issuesTotal };
  return {
    status,
    partial,
    reason: summary.reason,
    message: boundedWords(summary.message),
    counts,
    activities: activities.list(),
    ...grouped,
    ...asides,
    hidden,
  };
}

/** A Service is without ready endpoints because of its pods: those are an issue themselves, and it is none beside them. */
function followsFromOther({ ref, health, why }: RollUpRoot): boolean {
  if (ref.kind !== "Service" || ref.group !== "" || health?.reason !== "NoReadyEndpoints") return false;
  return why !== undefined && why !== null && !why.rootKey.startsWith(`${nameOfObject(ref)}#`);
}

/** The words of the whole: those of the first issue, else of what is suspended, else that all is well, though something is to be known. */
function summaryOf(
  found: { readonly grouped: Issues; readonly uncounted: Issues; readonly counts: RollUp["counts"]; readonly unwell: number },
  partial: boolean,
  gaps: Required<Pick<RollUpOptions, "hidden" | "unknown">>,
): Pick<RollUp, "reason" | "message"> {
  const { grouped, uncounted, counts, unwell } = found;
  const [first] = grouped.issues;
  const suspended = counts.Suspended > 0 ? uncounted.issues.find(({ status }) => status === "Suspended") : undefined;
  if (first !== undefined && !first.notice) return wordsOf(first, unwell - 1 + counts.Suspended);
  if (first === undefined)
    return suspended === undefined ? calmWords(counts.Healthy, partial, gaps) : wordsOf(suspended, counts.Suspended - 1);
  const calm = calmWords(counts.Healthy, partial, gaps);
  return { reason: first.reason, message: words("roll-up/noticed", { said: calm.message, count: grouped.issuesTotal }) };
}

/** The expected roots, when none of them is there; those that are among the roots as ghosts count as such. */
function goneOf(roots: readonly RollUpRoot[], expected: readonly HealthRef[], hidden: readonly HiddenKind[]): UnwellResource[] {
  const unseen = new Set(hidden.map(nameOfKind));
  const wanted = new Map(expected.filter((ref) => !unseen.has(nameOfKind(ref))).map((ref) => [nameOfRef(ref), ref]));
  for (const { ref, health } of roots) {
    if (!wanted.has(nameOfRef(ref))) continue;
    if (health?.status !== "Missing") return [];
    wanted.delete(nameOfRef(ref));
  }
  return [...wanted.values()].map((ref) => ({ ref, health: missingHealth(ref.kind, ref.name) }));
}

/** Suspended Jobs and CronJobs are intended and do not affect the rest; Events are no state. */
function defaultWeight({ ref, health }: RollUpRoot): Weight {
  if (ref.kind === "Event" && (ref.group === "" || ref.group === "events.k8s.io")) return "ignore";
  const batch = ref.group === "batch" && (ref.kind === "Job" || ref.kind === "CronJob");
  return batch && health?.status === "Suspended" ? "ignore" : "count";
}

function inOrder(kinds: readonly HiddenKind[] = []): HiddenKind[] {
  return [...kinds].sort((left, right) => compare(nameOfKind(left), nameOfKind(right)));
}

function calmWords(
  healthy: number,
  partial: boolean,
  { hidden, unknown }: Required<Pick<RollUpOptions, "hidden" | "unknown">>,
): Pick<RollUp, "reason" | "message"> {
  const unseen = partial ? { hidden: kindsOf(hidden), unknown: kindsOf(unknown) } : {};
  if (healthy === 0) return { reason: "NothingToRate", message: words("roll-up/nothing", unseen) };
  return { reason: partial ? "HealthyPartial" : "AllHealthy", message: words("roll-up/healthy", { count: healthy, ...unseen }) };
}

function kindsOf(kinds: readonly HiddenKind[]): string[] {
  return kinds.map(({ kind }) => kind);
}

function unwellOf({ ref, why }: RollUpRoot, health: HealthResult): UnwellResource {
  return { ref, health, ...(why === undefined || why === null ? {} : { why }) };
}

/** The words of the first issue, with whom it is about, where they do not say that. */
function wordsOf({ reason, message, members }: IssueGroup, others: number): Pick<RollUp, "reason" | "message"> {
  const [first] = members;
  const more = others === 0 ? undefined : others;
  if (first === undefined || isNamedIn(message, first.ref))
    return { reason, message: words("roll-up/first-named", { said: message, more }) };
  const { kind, name } = first.ref;
  return { reason, message: words("roll-up/first", { kind, name, said: message, more }) };
}

/** Whether a message names this resource: in one of its facts, or at the beginning of what it quotes. */
function isNamedIn({ facts }: Words, { kind, name }: HealthRef): boolean {
  return Object.values(facts).some((fact) => fact === name || (typeof fact === "string" && fact.startsWith(`${kind} ${name}`)));
}

function nameOfRef(ref: HealthRef): string {
  return `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
}

function nameOfKind(kind: HiddenKind): string {
  return `${kind.group}/${kind.kind}`;
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
