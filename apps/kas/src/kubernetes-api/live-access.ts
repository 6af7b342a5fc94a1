import type { Clock } from "@binnacle/rpc";

/** A live stream is looked at this often; with the cache's minute its rights end soon after they were taken (T23). */
const PERIOD_MS = 55_000;

/**
 * Proves again and again that a running exchange is still allowed.
 *
 * @param prove throws when the rights are gone; a main application that does not answer must not throw
 * @param onRefused called once, with what `prove` threw
 * @returns ends it
 */
export function keepProving(clock: Clock, prove: () => Promise<void>, onRefused: (error: unknown) => void): () => void {
  let cancel = (): void => undefined;
  let ended = false;
  const again = (): void => {
    cancel = clock.after(PERIOD_MS, () => {
      prove().then(
        () => {
          if (!ended) again();
        },
        (error: unknown) => {
          if (!ended) onRefused(error);
        },
      );
    });
  };
  again();
  return () => {
    ended = true;
    cancel();
  };
}
