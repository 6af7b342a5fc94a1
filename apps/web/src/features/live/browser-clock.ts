import type { Clock } from "@binnacle/rpc";

/** The browser's monotonic clock: intervals measured by it do not change when a user sets the time back. */
export const browserClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
