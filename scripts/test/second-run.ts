import { exitProblems, nameOf, type Report, type TestResult } from "./report.ts";
import type { Step } from "./step.ts";

/** With more failures than this something is broken, and no second run tells anything about it. */
export const MAX_FAILURES = 10;

/** More flaky tests than this fail the run. */
export const MAX_FLAKY = 3;

/** Failed tests that one process runs once more. */
export interface SecondRunGroup {
  readonly step: Step;
  /** One test, or all that failed in a file. */
  readonly failed: readonly [TestResult, ...TestResult[]];
}

/** What a second run changes. */
export interface SecondRunVerdict {
  /** Failed at first, passed now. */
  readonly flaky: readonly TestResult[];
  /** Passed at first or did not run, failed now. */
  readonly newlyFailed: readonly TestResult[];
  /** Why nothing of it counts. */
  readonly problems: readonly string[];
}

/** A line that tests and runners print when a process ended while it was needed; commands of kubectl are none of ours. */
const DIED = /^(?!.*\bkubectl\b).*(?:\bended with (?:code )?(?:\d+|null|SIG[A-Z]+)\b|\bwas ended by SIG[A-Z]+|\bexited unexpectedly\b)/m;

/** Whether the failure is that a process died: that is never taken for a test that wavered. */
function isProcessDeath({ messages }: TestResult): boolean {
  return messages.some((message) => DIED.test(message));
}

/** Failed tests of a step as they are run once more; those that are not are left out. */
export function groupsOf(step: Step, report: Report): readonly SecondRunGroup[] {
  const { secondRun } = step;
  if (secondRun === undefined) return [];
  const failed = report.results.filter((result) => result.status === "failed" && !isProcessDeath(result));
  if (secondRun.scope === "test") return failed.map((test) => ({ step, failed: [test] }));
  const files = Map.groupBy(failed, ({ file }) => file);
  return [...files.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [{ step, failed: [first, ...others] }]));
}

/** Tests by name; of those that share one name, each by its place among them. */
function byName(results: readonly TestResult[]): ReadonlyMap<string, TestResult> {
  const counts = new Map<string, number>();
  return new Map(
    results.map((result) => {
      const name = nameOf(result);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [`${name} #${count}`, result];
    }),
  );
}

/**
 * Compares the two runs. Only a test that failed at first may turn; a test that fails only in the second run is a failure.
 * When the second run itself went wrong, none turns.
 *
 * @param first report of the step
 * @param second report of the second run
 */
export function judgeSecondRun(group: SecondRunGroup, first: Report, second: Report & { readonly exitCode: number }): SecondRunVerdict {
  const isWholeFile = group.step.secondRun?.scope === "file";
  const before = byName(first.results);
  const after = byName(second.results);
  const newlyFailed = [...after].flatMap(([name, result]) =>
    result.status === "failed" && before.get(name)?.status !== "failed" ? [result] : [],
  );
  // A run of one test skips all others of its file.
  const problems = [...second.problems, ...(isWholeFile ? second.skipped.map((title) => `skipped: ${title}`) : [])];
  problems.push(...exitProblems(second.exitCode, { ...second, problems }));
  if (problems.length > 0) return { flaky: [], newlyFailed, problems };
  const failed = new Set(group.failed);
  const flaky = [...before].flatMap(([name, result]) => (failed.has(result) && after.get(name)?.status === "passed" ? [result] : []));
  return { flaky, newlyFailed, problems };
}
