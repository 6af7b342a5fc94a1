import type { StepTime } from "./lanes.ts";
import { failureOf, nameOf, type TestResult } from "./report.ts";
import type { RunOutcome } from "./run-plan.ts";

const SLOWEST = 20;

function laneLines(times: readonly StepTime[]): string[] {
  const lanes = Map.groupBy(times, ({ lane }) => lane);
  return [...lanes]
    .sort(([a], [b]) => a - b)
    .map(([lane, steps]) => {
      const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
      return `lane ${lane}: ${Math.round(total)} s (${steps.map(({ title, seconds }) => `${title} ${Math.round(seconds)}`).join(", ")})`;
    });
}

function slowestLines(results: readonly TestResult[]): string[] {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return slowest.length === 0
    ? []
    : ["slowest tests:", ...slowest.map((result) => `${result.seconds.toFixed(1).padStart(7)} s  ${nameOf(result)}`)];
}

/**
 * The end of the print-out: times, what did not run, what failed (once more, because a long log is often kept from its end only), what is
 * flaky. The last line but one is `flaky: N`, the last `N passed, N failed`.
 *
 * @param notRun what this machine cannot run
 */
export function closingLines(outcome: RunOutcome, notRun: readonly string[]): readonly string[] {
  return [
    ...laneLines(outcome.times),
    ...(outcome.secondRunSeconds < 0.5 ? [] : [`second run: ${Math.round(outcome.secondRunSeconds)} s`]),
    ...slowestLines(outcome.results),
    ...notRun.map((entry) => `not run: ${entry}`),
    ...outcome.notes,
    ...outcome.failures.map((failure) => `failed: ${failure}`),
    ...outcome.flaky.map((result) => `flaky: ${failureOf(result)}`),
    `flaky: ${outcome.flaky.length}`,
    `${outcome.passed} passed, ${outcome.failed} failed`,
  ];
}
