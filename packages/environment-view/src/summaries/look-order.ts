/** A scope that is looked at by itself. */
export interface Candidate {
  readonly key: string;
  /** When its last look began, milliseconds since the epoch; absent: never. */
  readonly lookedAtMs: number | undefined;
  /** Somebody has it on the screen. */
  readonly visible: boolean;
}

/** A scope on somebody's screen is looked at this often, once all have been looked at. */
export const VISIBLE_EVERY_MS = 60_000;
/** No scope is looked at more often. */
const LEAST_EVERY_MS = 30_000;

/**
 * Whose turn it is: first what nobody knows, what is on a screen before the rest in the order given; then what is on a screen and a minute
 * old, then the oldest. While anything is not known yet, nothing is looked at twice: a screen that is kept fresh must not keep the
 * others in the dark.
 *
 * @returns the key, or after how many milliseconds to ask again
 */
export function nextToLookAt(candidates: Iterable<Candidate>, nowMs: number): { readonly key: string } | { readonly inMs: number } {
  let best: { key: string; rank: number; atMs: number } | undefined;
  let soonestMs = nowMs + LEAST_EVERY_MS;
  for (const { key, lookedAtMs, visible } of candidates) {
    // A clock that was put back: what lies in the future is as good as never.
    const atMs = lookedAtMs === undefined || lookedAtMs > nowMs ? 0 : lookedAtMs;
    const dueMs = atMs === 0 ? 0 : atMs + (visible ? VISIBLE_EVERY_MS : LEAST_EVERY_MS);
    if (dueMs > nowMs) {
      soonestMs = Math.min(soonestMs, dueMs);
      continue;
    }
    const rank = (atMs === 0 ? 2 : 0) + (visible ? 1 : 0);
    if (best === undefined || rank > best.rank || (rank === best.rank && atMs < best.atMs)) best = { key, rank, atMs };
  }
  return best === undefined ? { inMs: Math.max(1, soonestMs - nowMs) } : { key: best.key };
}
