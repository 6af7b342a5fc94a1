/** The largest numbers that a message can hold: a cluster may claim what it likes. */
const MOST_REPLICAS = 2 ** 31 - 1;
const MOST_RESTARTS = 2 ** 32 - 1;

/** Replicas for the wire; -1 for a kind that has none. */
export function replicaCount(count = -1): number {
  return Number.isFinite(count) ? Math.min(MOST_REPLICAS, Math.max(-1, Math.trunc(count))) : -1;
}

/** Restarts for the wire. */
export function restartCount(count: number): number {
  return Math.min(MOST_RESTARTS, count);
}
