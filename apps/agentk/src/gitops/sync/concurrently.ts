/** How many requests of one sync are under way at once. */
const MAX_CONCURRENCY = 8;

/** Does something for every item, at most eight at a time. @returns results in order. @throws the first failure, when nothing runs any more */
export async function concurrently<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await act(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENCY }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
