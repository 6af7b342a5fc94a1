import type { ApiObject } from "../api-object.ts";
import { listIn, numberIn, textIn, type Tree } from "../json-tree.ts";

/** A condition of an object by its type. */
export function conditionOf(object: unknown, type: string): unknown {
  return listIn(object, "status", "conditions").find((one) => textIn(one, "type") === type);
}

/** True when the condition `Ready` is. */
export function isReady(pod: ApiObject): boolean {
  return textIn(conditionOf(pod, "Ready"), "status") === "True";
}

/** Ready for at least `minReadySeconds`. */
export function isAvailable(pod: ApiObject, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false;
  const since = Date.parse(textIn(conditionOf(pod, "Ready"), "lastTransitionTime") ?? "");
  return minReadySeconds === 0 || now - since >= minReadySeconds * 1_000;
}

/** Neither finished nor being deleted. */
export function isActive(pod: ApiObject): boolean {
  const phase = textIn(pod, "status", "phase");
  return phase !== "Succeeded" && phase !== "Failed" && pod.metadata.deletionTimestamp === undefined;
}

/** Counts of pods as workloads report them. */
export function countPods(
  pods: readonly ApiObject[],
  workload: ApiObject,
  now: number,
): { readonly total: number; readonly ready: number; readonly available: number; readonly nextCheckMs: number | undefined } {
  const wait = numberIn(workload, "spec", "minReadySeconds") ?? 0;
  const ready = pods.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, wait, now)).length;
  return { total: pods.length, ready: ready.length, available, nextCheckMs: available < ready.length ? 1_000 : undefined };
}

/** Which of two pods goes first when there are too many: unscheduled, then pending, then not ready, then the younger. */
export function compareForDeletion(a: ApiObject, b: ApiObject): number {
  const rank = (pod: ApiObject): number =>
    textIn(pod, "spec", "nodeName") === undefined ? 0 : textIn(pod, "status", "phase") !== "Running" ? 1 : !isReady(pod) ? 2 : 3;
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return Number(BigInt(b.metadata.resourceVersion) > BigInt(a.metadata.resourceVersion)) || -1;
}

/** Conditions with one of them set; its transition time changes only with its status. */
export function withCondition(
  conditions: readonly unknown[],
  next: Tree & { readonly type: string; readonly status: string },
  now: string,
): unknown[] {
  const before = conditions.find((one) => textIn(one, "type") === next.type);
  const since = textIn(before, "status") === next.status ? textIn(before, "lastTransitionTime") : undefined;
  const entry = { ...next, lastTransitionTime: since ?? now };
  return before === undefined ? [...conditions, entry] : conditions.map((one) => (one === before ? entry : one));
}

/** `25%` of a whole, or a plain number. */
export function resolvePercent(value: unknown, whole: number, round: "up" | "down"): number {
  if (typeof value === "number") return value;
  const percent = typeof value === "string" ? Number.parseInt(value, 10) : 0;
  const exact = (percent * whole) / 100;
  return round === "up" ? Math.ceil(exact) : Math.floor(exact);
}
