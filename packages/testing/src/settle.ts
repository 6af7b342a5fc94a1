/** Waits until no promise is left to settle; a turn of the event loop comes after all microtasks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Settles when `condition` holds; it is looked at after each turn of the event loop. The test's own limit ends a vain wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
