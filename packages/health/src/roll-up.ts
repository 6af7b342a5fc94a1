import type { HealthCause, HealthRef, HealthResult } from "./health-result.ts";
import type { HealthStatus } from "./health-status.ts";

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
  readonly weightOf?: (root: RollUpRoot) => "count" | "ignore";
}

/** Health of an environment. */
export interface RollUp {
  /** Worst status of the roots that count; `null` when none has an opinion. */
  readonly status: HealthStatus | null;
  /** A kind with a health rule, or a custom kind, is not readable: "Healthy (partial)" is not Healthy. */
  readonly partial: boolean;
  /** Stable word of the worst cause; "AllHealthy" or "NothingToRate" when there is none. */
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

/** Worst-of over the roots. (Follows.) */
export function rollUp(_roots: readonly RollUpRoot[], _options: RollUpOptions = {}): RollUp {
  const counts = { Healthy: 0, Suspended: 0, Progressing: 0, Missing: 0, Degraded: 0, Unknown: 0 };
  return { status: null, partial: false, reason: "NothingToRate", message: "", counts, causes: [], hidden: [] };
}
