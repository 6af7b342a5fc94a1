/** What rules want of time: milliseconds, and a call that can be cancelled. A caller that has a clock passes it, as tests do. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `delayMs`; the returned function takes it back. */
  after(delayMs: number, action: () => void): () => void;
}

/** The machine's own. Its timers do not keep a process alive. */
export const machineClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
