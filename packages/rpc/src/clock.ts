/** Where time comes from. Tests pass a fake; nothing below a `main.ts` calls `Date.now()` or `setTimeout` on its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function takes it back. */
  after(delayMs: number, action: () => void): () => void;
}

/** The machine's clock. Its timers do not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Settles after `delayMs`, or at once (without an error) when `signal` aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Whether `work` settles, well or not, before `delayMs` have passed. */
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
