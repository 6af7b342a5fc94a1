import { join } from "node:path";

import { literalPattern } from "./literal-pattern.ts";
import type { TestResult } from "./report.ts";
import type { Command, Step } from "./step.ts";
import type { VitestProject } from "./test-files.ts";

/** What the steps of all runners need. */
export interface RunnerContext {
  /** Directory that is tested, and in which the runners are started. */
  readonly root: string;
  /** Directory of the reports. */
  readonly reports: string;
  /** Test files that this machine cannot run, relative to the root. */
  readonly excluded: readonly string[];
  /** Test files that run only where they are named, relative to the root. */
  readonly long: readonly string[];
}

/** What a step does not run of a project, or of the files that are named. */
const leftOutBy = ({ excluded, long }: RunnerContext, files: readonly string[]): readonly string[] =>
  files.length === 0 ? [...excluded, ...long] : excluded;

const REPOSITORY = join(import.meta.dirname, "..", "..");
const bin = (path: string): string => join(REPOSITORY, "node_modules", path);

/** Title of the step that others name as their predecessor. */
const BUILD = "build of the dashboard";

/** A project of Playwright. */
export interface BrowserProject {
  readonly project: string;
  /** Where its tests run, as the title of the step ends. */
  readonly where: string;
}

/** @param files only these; none: all of the project */
export function vitestStep(context: RunnerContext, project: VitestProject, files: readonly string[] = []): Step {
  const command = (report: string, ...more: readonly string[]): Command => ({
    command: [
      bin("vitest/vitest.mjs"),
      "run",
      "--project",
      project,
      "--reporter=default",
      `--reporter=${join(import.meta.dirname, "vitest-report.ts")}`,
      ...more,
    ],
    env: { VITEST_REPORT: report },
  });
  const report = join(context.reports, `${project}.json`);
  const excluded = leftOutBy(context, files)
    .filter((file) => file.endsWith(".itest.ts"))
    .flatMap((file) => ["--exclude", file]);
  const alone = (test: TestResult, secondReport: string): Command =>
    project === "unit"
      ? command(secondReport, test.file, "--testNamePattern", `^${literalPattern(test.titles.join(" > "))}$`)
      : command(secondReport, test.file);
  return {
    title: `${project} tests`,
    ...command(report, ...files, ...excluded),
    report,
    secondRun: { scope: project === "unit" ? "test" : "file", command: alone },
  };
}

/** @param files only these; none: all of the project */
export function playwrightStep(context: RunnerContext, { project, where }: BrowserProject, files: readonly string[] = []): Step {
  const command = (report: string, output: string, only: readonly string[]): Command => ({
    command: [
      bin("@playwright/test/cli.js"),
      "test",
      ...only.map((file) => `${literalPattern(file)}$`),
      "--config",
      "e2e/playwright.config.ts",
      "--project",
      project,
      "--output",
      `test-results/${output}`,
    ],
    env: {
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      E2E_EXCLUDE: leftOutBy(context, only)
        .filter((file) => file.endsWith(".spec.ts"))
        .join(","),
    },
  });
  const report = join(context.reports, `e2e-${project}.json`);
  return {
    title: `end-to-end tests ${where}`,
    ...command(report, project, files),
    report,
    // Else every sandbox of theirs would begin with it.
    after: BUILD,
    // A directory of its own: the runner clears it, and what the first run left there explains the failure.
    secondRun: { scope: "file", command: (test, secondReport) => command(secondReport, `${project}-second-run`, [test.file]) },
  };
}

/** Builds the dashboard; only its exit code counts. */
export function buildStep(): Step {
  return { title: BUILD, command: [bin("turbo/bin/turbo"), "run", "build", "--filter=@binnacle/web"], env: {} };
}

/** Plants faults; those that are found are never taken for tests, so none runs again. @param which `changed`: of packages that changed */
export function faultsStep(context: RunnerContext, which: "changed" | "all"): Step {
  const report = join(context.reports, which === "all" ? "faults-all.json" : "faults.json");
  return {
    title: which === "all" ? "all planted faults" : "planted faults of what changed",
    command: [
      join(REPOSITORY, "scripts/faults/main.ts"),
      "--report",
      report,
      ...(which === "changed" ? ["--changed"] : []),
      ...context.excluded.filter((file) => file.endsWith(".itest.ts")).flatMap((file) => ["--exclude", file]),
    ],
    env: {},
    report,
  };
}
