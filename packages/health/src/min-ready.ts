import { fieldsAt, numberAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { timeOf, writtenTime } from "./age.ts";
import { conditionsOf, trueCondition } from "./condition.ts";
import { shownTime } from "./shown-time.ts";
import { progressing, type RuleInput, type Verdict } from "./verdict.ts";

/** All pods of a workload are ready, and not all of them have been so for `minReadySeconds`. */
export interface MinReady {
  readonly seconds: number;
  /** When the last of them counts as available; empty = not known. */
  readonly dueAt: string;
  /** The same for people; absent = not known. */
  readonly time: string | undefined;
}

/**
 * What a workload waits for when its pods are all ready and do not count as available yet; `undefined` = for something else.
 *
 * @param pods those that are to become available
 */
export function minReadyOf({ kind, spec, status }: RuleInput, pods: readonly Fields[]): MinReady | undefined {
  const seconds = numberAt(spec, "minReadySeconds") ?? 0;
  const isDaemonSet = kind === "DaemonSet";
  const wanted = isDaemonSet ? numberAt(status, "desiredNumberScheduled") : (numberAt(spec, "replicas") ?? 1);
  const ready = numberAt(status, isDaemonSet ? "numberReady" : "readyReplicas") ?? 0;
  const available = numberAt(status, isDaemonSet ? "numberAvailable" : "availableReplicas") ?? 0;
  if (seconds <= 0 || wanted === undefined || ready < wanted || available >= wanted) return undefined;
  const readyMs = pods.length < wanted ? Number.NaN : Math.max(...pods.map(readySince));
  const dueAt = Number.isNaN(readyMs) ? "" : writtenTime(readyMs + seconds * 1_000);
  return { seconds, dueAt, time: dueAt === "" ? undefined : shownTime(dueAt) };
}

/** Not enough pods are available: `otherwise` says so, unless they are ready and only minReadySeconds is to pass. */
export function unavailable(
  input: RuleInput,
  pods: readonly Fields[],
  otherwise: { readonly message: Words; readonly since?: string },
): Verdict {
  const { message, since } = otherwise;
  const waits = minReadyOf(input, pods);
  if (waits === undefined) return progressing("Unavailable", message, since);
  const { seconds, dueAt, time } = waits;
  const verdict = progressing("Unavailable", words("workload/min-ready", { seconds, time }), since);
  return dueAt === "" ? verdict : { ...verdict, dueAt };
}

/** Since when a pod has been ready, in milliseconds; `NaN` = it is not, or it is unknown. */
function readySince(pod: Fields): number {
  return timeOf(trueCondition(conditionsOf(fieldsAt(pod, "status")), "Ready")?.changedAt ?? "");
}
