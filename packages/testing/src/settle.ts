import { inspect } from "node:util";

/** Waits until no promise is left to settle; a turn of the event loop comes after all microtasks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A little less than a test may take (vitest.config.ts), so that the failure names the condition. */
const LIMIT_MS = 50_000;
/** What this process does itself is done within so many turns; what comes from elsewhere is looked for without keeping the machine busy. */
const QUICK_TURNS = 10_000;
// The real ones, also where a test puts others in their place.
const { setTimeout: later, performance: real } = globalThis;

/**
 * Settles when `condition` holds; it is looked at after each turn of the event loop, and later each millisecond.
 *
 * @param seen printed beside the condition when the wait times out
 * @throws Error after 50 s, with what was waited for, where, and what was seen instead
 */
export function until(condition: () => boolean, seen?: () => unknown): Promise<void> {
  return pollUntil(condition, { seen, pause: (turn) => (turn < QUICK_TURNS ? eventLoopTurn() : realMs(1)) });
}

/** The same with another pause between two polls. @param pause called with 0, 1, … before each poll but the first */
export async function pollUntil(
  condition: () => boolean,
  { pause, seen }: { readonly pause: (turn: number) => Promise<void>; readonly seen?: (() => unknown) | undefined },
): Promise<void> {
  // Here, while the stack still knows who waits.
  const vain = new Error(`waited in vain for ${String(condition)}`);
  const endMs = real.now() + LIMIT_MS;
  for (let turn = 0; !condition(); turn += 1) {
    if (real.now() > endMs) {
      if (seen) vain.message += `, saw ${inspect(seen(), { depth: 5 })}`;
      throw vain;
    }
    await pause(turn);
  }
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** So many milliseconds of the real clock, in which sockets and other processes go on. */
export function realMs(ms: number): Promise<void> {
  return new Promise((resolve) => void later(resolve, ms));
}
