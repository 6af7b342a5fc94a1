import type { TestSuite } from "./engine-protocol.ts";

/**
 * The test files that can notice a change of a source at all, in the order in which they are worth running: examples before properties, which
 * are slow, then those that import the source most directly, and of these the fastest first.
 *
 * @param source absolute path
 * @returns absolute paths
 */
export function nearestTests({ files, importers }: TestSuite, source: string): readonly string[] {
  const distances = distancesFrom(importers, source);
  const isProperty = (path: string): number => (path.includes(".property.") ? 1 : 0);
  const distance = (path: string): number => distances.get(path) ?? Infinity;
  return files
    .filter(({ path }) => distances.has(path))
    .toSorted(
      (left, right) =>
        isProperty(left.path) - isProperty(right.path) || distance(left.path) - distance(right.path) || left.durationMs - right.durationMs,
    )
    .map(({ path }) => path);
}

/** How many imports lead from each file to this one, at least. */
function distancesFrom(importers: TestSuite["importers"], source: string): ReadonlyMap<string, number> {
  const distances = new Map([[source, 0]]);
  // The map grows while it is walked, nearest first.
  for (const [each, distance] of distances) {
    for (const importer of importers[each] ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  return distances;
}
