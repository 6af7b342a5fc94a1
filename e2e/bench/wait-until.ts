import { setTimeout as sleep } from "node:timers/promises";

const LONGEST_MS = 120_000;

/** Looks again each millisecond, for as long as a bench is worth waiting for. @throws after two minutes */
export async function waitUntil(condition: () => boolean): Promise<void> {
  const endMs = performance.now() + LONGEST_MS;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`what the bench waits for has not come within two minutes: ${String(condition)}`);
    await sleep(1);
  }
}
