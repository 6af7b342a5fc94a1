const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

/** Milliseconds before try number `attempt` + 1; between half of the bound and the bound. */
export function retryDelayMs(attempt: number, random: number): number {
  const bound = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt, 10));
  return bound / 2 + (random * bound) / 2;
}
