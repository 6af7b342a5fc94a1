import type { HealthCause, HealthRef, HealthResult } from "./health-result.ts";
import { HEALTH_ORDER, rankOf, worstOf, type HealthStatus } from "./health-status.ts";
import { missingHealth } from "./missing-health.ts";
import { hasHealthRule, isCustomGroup } from "./rule-registry.ts";

/** A root of the ownership forest, or a ghost that nobody owns. */
export interface RollUpRoot {
  readonly ref: HealthRef;
  /** What `health` said; `null` has no weight. */
  readonly health: HealthResult | null;
}

/** A kind in scope that the viewer may not read. */
export interface HiddenKind {
  /** API group, empty for core. */
  readonly group: string;
  readonly kind: string;
}

/** What a roll-up is told besides its roots. */
export interface RollUpOptions {
  /** Kinds that are not readable in scope. */
  readonly hidden?: readonly HiddenKind[];
  /** Whether a root counts; default: suspended Jobs and CronJobs, and Events, do not. */
  readonly weightOf?: (root: RollUpRoot) => Weight;
  /** Weights of whole kinds, as data: by "group/kind" ("batch/Job", "/Pod") or by kind alone; they go before `weightOf`. */
  readonly weights?: Readonly<Record<string, Weight>>;
  /**
   * Roots that ought to be there, for example of an inventory. When every one of them is gone, each is Missing; while one is
   * there, none is, for then the ghosts among the roots say what lacks. Those of a hidden kind are not known to be gone.
   */
  readonly expected?: readonly HealthRef[];
}

/** Whether a root counts in a roll-up. */
export type Weight = "count" | "ignore";

/** Health of an environment. */
export interface RollUp {
  /** Worst status of the roots that count; `null` when none has an opinion. */
  readonly status: HealthStatus | null;
  /** A kind with a health rule, or a custom kind, is not readable: "Healthy (partial)" is not Healthy. */
  readonly partial: boolean;
  /** Stable word of the worst cause; "AllHealthy", "HealthyPartial" or "NothingToRate" when there is none. */
  readonly reason: string;
  /** Sentence for people. */
  readonly message: string;
  /** Roots that count, by status. */
  readonly counts: Readonly<Record<HealthStatus, number>>;
  /** Worst first, at most five. */
  readonly causes: readonly HealthCause[];
  /** Kinds that are not readable, whether or not they make it partial; sorted. */
  readonly hidden: readonly HiddenKind[];
}

const MAX_CAUSES = 5;

/**
 * Health of an environment: the worst of its roots that count, in HEALTH_ORDER. A status that is not Healthy never hides
 * another: the counts are always there, and the causes name the worst five.
 */
export function rollUp(roots: readonly RollUpRoot[], options: RollUpOptions = {}): RollUp {
  const weightOf = options.weightOf ?? defaultWeight;
  const weights = new Map(Object.entries(options.weights ?? {}));
  const hidden = [...(options.hidden ?? [])].sort((left, right) => compare(nameOfKind(left), nameOfKind(right)));
  const partial = hidden.some(({ group, kind }) => hasHealthRule(group, kind) || isCustomGroup(group));
  const counts: Record<HealthStatus, number> = { Healthy: 0, Suspended: 0, Progressing: 0, Missing: 0, Degraded: 0, Unknown: 0 };
  const unwell: HealthCause[] = [];
  for (const root of roots) {
    const { group, kind } = root.ref;
    const weight = weights.get(`${group}/${kind}`) ?? weights.get(kind);
    if (root.health === null || (weight ?? weightOf(root)) === "ignore") continue;
    counts[root.health.status] += 1;
    if (root.health.status !== "Healthy") unwell.push(causeOf(root.ref, root.health));
  }
  for (const cause of goneOf(roots, options.expected ?? [], hidden)) {
    counts.Missing += 1;
    unwell.push(cause);
  }
  const status = worstOf(HEALTH_ORDER.filter((each) => counts[each] > 0));
  const causes = firstOf(unwell.sort(worstFirst));
  const [first] = causes;
  if (first === undefined) return { status, partial, ...calmWords(counts.Healthy, partial, hidden), counts, causes, hidden };
  const more = unwell.length === 1 ? "" : ` (and ${unwell.length - 1} more not healthy)`;
  const message = `${first.ref.kind} ${first.ref.name}: ${first.message}${more}`;
  return { status, partial, reason: first.reason, message, counts, causes, hidden };
}

/** The expected roots, when none of them is there; those that are among the roots as ghosts count as such. */
function goneOf(roots: readonly RollUpRoot[], expected: readonly HealthRef[], hidden: readonly HiddenKind[]): HealthCause[] {
  const unseen = new Set(hidden.map(nameOfKind));
  const wanted = new Map(expected.filter((ref) => !unseen.has(nameOfKind(ref))).map((ref) => [nameOfRef(ref), ref]));
  for (const { ref, health } of roots) {
    if (!wanted.has(nameOfRef(ref))) continue;
    if (health?.status !== "Missing") return [];
    wanted.delete(nameOfRef(ref));
  }
  return [...wanted.values()].map((ref) => causeOf(ref, missingHealth(ref.kind, ref.name)));
}

/** The first causes. However many rules have failed, what is known to be broken is among them. */
function firstOf(unwell: readonly HealthCause[]): HealthCause[] {
  const first = unwell.slice(0, MAX_CAUSES);
  const broken = unwell.find(({ status }) => status === "Degraded");
  return broken === undefined || first.includes(broken) ? first : [...first.slice(0, -1), broken];
}

/** Suspended Jobs and CronJobs are somebody's wish and say nothing about the rest; Events are no state. */
function defaultWeight({ ref, health }: RollUpRoot): Weight {
  if (ref.kind === "Event" && (ref.group === "" || ref.group === "events.k8s.io")) return "ignore";
  const batch = ref.group === "batch" && (ref.kind === "Job" || ref.kind === "CronJob");
  return batch && health?.status === "Suspended" ? "ignore" : "count";
}

function calmWords(healthy: number, partial: boolean, hidden: readonly HiddenKind[]): Pick<RollUp, "reason" | "message"> {
  const unseen = partial ? `; not visible: ${hidden.map(({ kind }) => kind).join(", ")}` : "";
  if (healthy === 0) return { reason: "NothingToRate", message: `Nothing here has a health of its own${unseen}` };
  const what = healthy === 1 ? "The only resource with a health is healthy" : `All ${healthy} resources are healthy`;
  return { reason: partial ? "HealthyPartial" : "AllHealthy", message: `${what}${unseen}` };
}

function causeOf(ref: HealthRef, { status, reason, message, since }: HealthResult): HealthCause {
  return { ref, status, reason, message, ...(since === undefined ? {} : { since }) };
}

/** Worst first; then what began first (not known = last); then by name, so that the order is always the same. */
function worstFirst(left: HealthCause, right: HealthCause): number {
  const byStatus = rankOf(right.status) - rankOf(left.status);
  if (byStatus !== 0) return byStatus;
  return compare(left.since ?? "~", right.since ?? "~") || compare(nameOfRef(left.ref), nameOfRef(right.ref));
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
