/** Enough to draw every kind of input; below this a property is no cheaper to run. */
const MIN_RUNS = 25;

/**
 * How often a slow property runs: a quarter of `full` in `npm test`, which draws the same examples every time, and all of it in
 * `npm run fuzz`, which sets PROPERTY_SEED. For properties that take a second and more; others name their number as it is.
 */
export function propertyRuns(full: number): number {
  return process.env["PROPERTY_SEED"] === undefined ? Math.max(MIN_RUNS, Math.ceil(full / 4)) : full;
}
