import type { Clock } from "@binnacle/rpc";

/** So long a page waits for what it is sent with; what comes later comes without holding it. */
export const WAIT_MS = 300;
/** So long the answer stays open for what comes later. */
export const LATE_MS = 3_000;

/** Whether `work` settles before `delayMs` have passed. */
export function settlesWithin(work: Promise<unknown>, delayMs: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(delayMs, () => resolve(false));
    const settled = (): void => {
      cancel();
      resolve(true);
    };
    work.then(settled, settled);
  });
}
