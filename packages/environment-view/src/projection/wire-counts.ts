import { toInt32, toUint32 } from "@binnacle/proto/wire-values";

/** Replicas for the wire; -1 for a kind that has none. */
export function replicaCount(count = -1): number {
  return Number.isFinite(count) ? Math.max(-1, toInt32(count)) : -1;
}

/** Restarts for the wire. */
export function restartCount(count: number): number {
  return toUint32(count);
}
