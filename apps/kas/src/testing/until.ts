/** Settles when `condition` holds; it is looked at after each turn of the event loop. The test's own limit ends a vain wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
