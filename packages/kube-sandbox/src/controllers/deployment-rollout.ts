import type { ApiObject } from "../api-object.ts";
import { numberIn, textIn, valueIn } from "../json-tree.ts";
import { resolvePercent } from "./pod-state.ts";

/** What a scaling step starts from. */
export interface Rollout {
  readonly deployment: ApiObject;
  /** ReplicaSet of the present template. */
  readonly current: ApiObject | undefined;
  readonly old: readonly ApiObject[];
  readonly paused: boolean;
  /** Asks for the first size of a ReplicaSet that does not exist yet; the answer's `set` is the Deployment then. */
  readonly creating?: boolean;
}

/** A ReplicaSet and the size it shall have. */
export interface Scaling {
  readonly set: ApiObject;
  readonly replicas: number;
}

/** How many pods may be missing, or too many, during a rollout. Both 0 is not allowed: then one may be missing. */
export function rolloutBounds(deployment: ApiObject): { readonly surge: number; readonly unavailable: number } {
  if (textIn(deployment, "spec", "strategy", "type") === "Recreate")
    return { surge: 0, unavailable: numberIn(deployment, "spec", "replicas") ?? 1 };
  const replicas = numberIn(deployment, "spec", "replicas") ?? 1;
  const surge = resolvePercent(valueIn(deployment, "spec", "strategy", "rollingUpdate", "maxSurge"), replicas, "up");
  const unavailable = Math.min(
    replicas,
    resolvePercent(valueIn(deployment, "spec", "strategy", "rollingUpdate", "maxUnavailable"), replicas, "down"),
  );
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

function sizeOf(set: ApiObject): number {
  return numberIn(set, "spec", "replicas") ?? 0;
}

function availableOf(set: ApiObject): number {
  return numberIn(set, "status", "availableReplicas") ?? 0;
}

function sum(sets: readonly ApiObject[], of: (set: ApiObject) => number): number {
  return sets.reduce((total, set) => total + of(set), 0);
}

/** The next sizes of a Deployment's ReplicaSets; only those that change. Pure. */
export function scaleReplicaSets(rollout: Rollout): Scaling[] {
  const { deployment, current, old, paused } = rollout;
  const wanted = numberIn(deployment, "spec", "replicas") ?? 1;
  if (paused) {
    const largest = [...old, ...(current ? [current] : [])].filter((set) => sizeOf(set) > 0);
    const only = largest.length === 1 ? largest[0] : current;
    return only && sizeOf(only) !== wanted && largest.length <= 1 ? [{ set: only, replicas: wanted }] : [];
  }
  return textIn(deployment, "spec", "strategy", "type") === "Recreate" ? recreate(rollout, wanted) : roll(rollout, wanted);
}

function recreate({ deployment, current, old, creating }: Rollout, wanted: number): Scaling[] {
  const shrinking = old.filter((set) => sizeOf(set) > 0).map((set) => ({ set, replicas: 0 }));
  const busy = old.some((set) => sizeOf(set) > 0 || (numberIn(set, "status", "replicas") ?? 0) > 0);
  if (creating === true) return [{ set: deployment, replicas: busy ? 0 : wanted }];
  if (busy) return shrinking;
  return current && sizeOf(current) !== wanted ? [{ set: current, replicas: wanted }] : [];
}

function roll(rollout: Rollout, wanted: number): Scaling[] {
  const { deployment, current, old, creating } = rollout;
  const { surge, unavailable } = rolloutBounds(deployment);
  const total = sum(old, sizeOf) + (current ? sizeOf(current) : 0);
  const grown = (size: number): number => size + Math.max(0, Math.min(wanted + surge - total, wanted - size));
  if (creating === true) return [{ set: deployment, replicas: grown(0) }];
  if (!current) return [];
  if (sizeOf(current) > wanted) return [{ set: current, replicas: wanted }];
  const size = grown(sizeOf(current));
  if (size !== sizeOf(current)) return [{ set: current, replicas: size }];
  return shrinkOld({ current, old, total, least: wanted - unavailable });
}

function shrinkOld({
  current,
  old,
  total,
  least,
}: {
  readonly current: ApiObject;
  readonly old: readonly ApiObject[];
  readonly total: number;
  readonly least: number;
}): Scaling[] {
  const missing = sizeOf(current) - availableOf(current);
  let spare = total - least - missing;
  const sizes = new Map(old.map((set) => [set, sizeOf(set)]));
  // Pods that never became available go first: they hold up nothing.
  for (const set of old) {
    const broken = Math.min(Math.max(0, spare), Math.max(0, sizeOf(set) - availableOf(set)));
    sizes.set(set, sizeOf(set) - broken);
    spare -= broken;
  }
  let healthy = sum(old, (set) => Math.min(availableOf(set), sizes.get(set) ?? 0)) + availableOf(current) - least;
  for (const set of old) {
    const size = sizes.get(set) ?? 0;
    const fewer = Math.min(size, Math.max(0, Math.min(healthy, spare)));
    sizes.set(set, size - fewer);
    healthy -= fewer;
    spare -= fewer;
  }
  return [...sizes].filter(([set, size]) => size !== sizeOf(set)).map(([set, replicas]) => ({ set, replicas }));
}
