import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { runLanes, type StepTime } from "./lanes.ts";
import { exitProblems, failureOf, nameOf, readReport, type Report, type TestResult } from "./report.ts";
import { groupsOf, judgeSecondRun, MAX_FAILURES, MAX_FLAKY, type SecondRunGroup, type SecondRunVerdict } from "./second-run.ts";
import { runCommand, type Step } from "./step.ts";

/** Where the steps run, and what they find there. */
export interface RunOptions {
  readonly root: string;
  /** Cleared first. */
  readonly reports: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Failures that are known before anything runs. */
  readonly failures?: readonly string[];
  /** Whether the output of all steps goes to files beside the reports, not only that of all lanes but the first. */
  readonly isQuiet?: boolean;
}

/** What came of all steps. */
export interface RunOutcome {
  /** Flaky tests are among them. */
  readonly passed: number;
  readonly failed: number;
  /** Each failure as it is printed. */
  readonly failures: readonly string[];
  /** Failed at first, passed in a second run, each as in its first run. */
  readonly flaky: readonly TestResult[];
  /** Everything else that is worth a line. */
  readonly notes: readonly string[];
  readonly times: readonly StepTime[];
  readonly secondRunSeconds: number;
  /** Every test that ran, as in its first run. */
  readonly results: readonly TestResult[];
}

interface StepOutcome {
  readonly step: Step;
  readonly report: Report;
  /** Failures that no test stands for. */
  readonly problems: readonly string[];
}

/** As many as the processors that it is planned for: a third one takes the time of tests that wait for something to happen in it. */
const LANES = 2;
const NO_REPORT: Report = { results: [], skipped: [], problems: [] };

/** Runs all steps, then once more the tests that failed, when nothing else runs any more, and counts from the reports. */
export async function runPlan(steps: readonly Step[], options: RunOptions): Promise<RunOutcome> {
  rmSync(options.reports, { recursive: true, force: true });
  mkdirSync(options.reports, { recursive: true });
  const outcomes: StepOutcome[] = [];
  const times = await runLanes(steps, LANES, async (step, lane) => {
    outcomes.push(outcomeOf(step, await runStep(step, lane, options), options.root));
  });
  const results = outcomes.flatMap(({ report }) => report.results);
  const problems = [...(options.failures ?? []), ...outcomes.flatMap((outcome) => outcome.problems)];
  const failed = results.filter(({ status }) => status === "failed");
  const notes = outcomes.flatMap(({ step, report }) =>
    report.nothingToRun === undefined ? [] : [`${step.title}: ${report.nothingToRun}`],
  );

  const started = performance.now();
  const isTooMuch = failed.length + problems.length > MAX_FAILURES;
  if (isTooMuch) notes.push(`no second run: more than ${MAX_FAILURES} failures`);
  const verdicts = isTooMuch ? [] : await runFailedAgain(outcomes, options);
  const flaky = verdicts.flatMap((verdict) => verdict.flaky);
  const newlyFailed = verdicts.flatMap((verdict) => verdict.newlyFailed);
  for (const problem of verdicts.flatMap((verdict) => verdict.problems)) notes.push(`second run: ${problem}`);
  if (flaky.length > MAX_FLAKY) problems.push(`${flaky.length} flaky tests, and no more than ${MAX_FLAKY} are let pass`);

  // What passed at first and fails in the second run of its file is no longer counted as passed.
  const passedNames = new Set(results.flatMap((result) => (result.status === "passed" ? [nameOf(result)] : [])));
  const lost = newlyFailed.filter((result) => passedNames.has(nameOf(result)));
  const stillFailed = failed.filter((result) => !flaky.includes(result));
  return {
    passed: results.length - failed.length + flaky.length - lost.length,
    failed: stillFailed.length + newlyFailed.length + problems.length,
    failures: [...stillFailed.map(failureOf), ...newlyFailed.map((result) => `in the second run: ${failureOf(result)}`), ...problems],
    flaky,
    notes,
    times,
    secondRunSeconds: (performance.now() - started) / 1000,
    results,
  };
}

/** The first lane prints as it goes; what runs beside it prints in one piece when it has ended. */
async function runStep(step: Step, lane: number, options: RunOptions): Promise<number> {
  process.stderr.write(options.isQuiet === true ? "" : `\n▸ ${step.title}\n`);
  const processOptions = { cwd: options.root, environment: options.environment };
  if (lane === 1 && options.isQuiet !== true) return runCommand(step, processOptions);
  const file = join(options.reports, `${step.title.replaceAll(/\W+/g, "-")}.log`);
  const log = openSync(file, "w");
  const exitCode = await runCommand(step, { ...processOptions, log });
  closeSync(log);
  if (options.isQuiet !== true) process.stdout.write(`\n▸ ${step.title}, which ran on lane ${lane}\n${readFileSync(file, "utf8")}`);
  return exitCode;
}

function outcomeOf(step: Step, exitCode: number, root: string): StepOutcome {
  const report = step.report === undefined ? NO_REPORT : readReport(step.report, root);
  const problems = [...report.problems, ...report.skipped.map((title) => `skipped: ${title}`)];
  problems.push(...exitProblems(exitCode, { ...report, problems }));
  return { step, report, problems: problems.map((problem) => `${step.title}: ${problem}`) };
}

/** One process after the other, in the order of the steps. */
async function runFailedAgain(outcomes: readonly StepOutcome[], options: RunOptions): Promise<readonly SecondRunVerdict[]> {
  const groups = outcomes.flatMap(({ step, report }) => groupsOf(step, report).map((group) => ({ group, first: report })));
  const verdicts: SecondRunVerdict[] = [];
  for (const [index, { group, first }] of groups.entries()) {
    verdicts.push(await runGroup(group, first, { ...options, number: index + 1 }));
  }
  return verdicts;
}

async function runGroup(
  group: SecondRunGroup,
  first: Report,
  { number, ...options }: RunOptions & { readonly number: number },
): Promise<SecondRunVerdict> {
  const [test] = group.failed;
  const report = join(options.reports, `second-run-${number}.json`);
  const name = group.step.secondRun?.scope === "test" ? nameOf(test) : test.file;
  const command = group.step.secondRun?.command(test, report);
  if (command === undefined) return { flaky: [], newlyFailed: [], problems: [] };
  const exitCode = await runStep({ ...command, title: `second run of ${name}` }, 1, options);
  const verdict = judgeSecondRun(group, first, { ...readReport(report, options.root), exitCode });
  return { ...verdict, problems: verdict.problems.map((problem) => `${name}: ${problem}`) };
}
