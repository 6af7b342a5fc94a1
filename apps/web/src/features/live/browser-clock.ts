import type { Clock } from "@binnacle/rpc";

/** The browser's clock, which goes on evenly: whatever paces by it is not held up for an hour when somebody sets the time back. */
export const browserClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};
