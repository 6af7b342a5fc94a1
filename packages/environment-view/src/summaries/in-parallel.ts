/**
 * Does something with each item, `width` at a time. The first failure ends the others and is thrown when they have ended: nobody
 * works on for somebody who has left.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  { width, signal }: { readonly width: number; readonly signal: AbortSignal },
  action: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  const failures: unknown[] = [];
  const left = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true && !within.aborted; next = left.next()) {
      try {
        await action(next.value, within);
      } catch (error) {
        failures.push(error);
        stop.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  if (failures.length > 0) throw failures[0];
}
