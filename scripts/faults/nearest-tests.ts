import type { TestSpecification, Vitest } from "vitest/node";

/**
 * The tests that can notice a change of a file at all, in the order in which they are worth running: examples before
 * properties, which are slow, and those that import the file most directly first. Knows only what has been run once.
 *
 * @param file absolute path of the source
 */
export function nearestTests(vitest: Vitest, specifications: readonly TestSpecification[], file: string): TestSpecification[] {
  const distances = distancesFrom(vitest, file);
  const isProperty = ({ moduleId }: TestSpecification): number => (moduleId.includes(".property.") ? 1 : 0);
  const distance = ({ moduleId }: TestSpecification): number => distances.get(moduleId) ?? Infinity;
  return specifications
    .filter(({ moduleId }) => distances.has(moduleId))
    .toSorted((left, right) => isProperty(left) - isProperty(right) || distance(left) - distance(right));
}

/** How many imports lead from each file to this one, at least. */
function distancesFrom(vitest: Vitest, file: string): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]]);
  // The map grows while it is walked, nearest first.
  for (const [each, distance] of distances) {
    for (const importer of importersOf(vitest, each)) if (!distances.has(importer)) distances.set(importer, distance + 1);
  }
  return distances;
}

function importersOf(vitest: Vitest, file: string): string[] {
  return vitest.projects.flatMap(({ vite }) =>
    Object.values(vite.environments).flatMap(({ moduleGraph }) =>
      [...(moduleGraph.getModulesByFile(file) ?? [])].flatMap(({ importers }) => [...importers].flatMap((importer) => importer.file ?? [])),
    ),
  );
}
