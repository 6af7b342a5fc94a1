import type { Clock } from "@binnacle/rpc";

/** A live stream is looked at this often. With answers of at most 20 s and 10 s to get one, its rights end within a minute (T23). */
const PERIOD_MS = 30_000;
/** A proof takes no older answer of the main application. */
export const PROOF_MAX_AGE_MS = 20_000;
/** Longest time for a proof; after it the main application counts as unavailable. */
export const PROOF_TIMEOUT_MS = 10_000;

/**
 * Proves again and again that a running exchange is still allowed.
 *
 * @param prove throws when the rights are gone or have changed; a main application that does not answer must not throw
 * @param onRefused called once, with what `prove` threw
 * @returns ends it
 */
export function recheckAccess(clock: Clock, prove: () => Promise<void>, onRefused: (error: unknown) => void): () => void {
  let ended = false;
  const again = (): void => {
    const startedMs = clock.now();
    prove().then(
      () => {
        if (!ended) cancel = clock.after(Math.max(0, PERIOD_MS - (clock.now() - startedMs)), again);
      },
      (error: unknown) => {
        if (!ended) onRefused(error);
      },
    );
  };
  let cancel = clock.after(PERIOD_MS, again);
  return () => {
    ended = true;
    cancel();
  };
}
