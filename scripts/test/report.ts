import { readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** A test that ran. */
export interface TestResult {
  /** Relative to the root; of planted faults what the report calls them. */
  readonly file: string;
  /** Titles of the blocks around the test, and its own. */
  readonly titles: readonly string[];
  /** The project of Playwright that ran it. */
  readonly project?: string;
  readonly status: "passed" | "failed";
  readonly seconds: number;
  /** What was printed of the failure; empty for a test that passed. */
  readonly messages: readonly string[];
}

/** What the report of a runner contains. */
export interface Report {
  readonly results: readonly TestResult[];
  /** Tests that did not run. */
  readonly skipped: readonly string[];
  /** Failures that no test stands for: a file that could not load, an error outside of tests, a missing or empty report. */
  readonly problems: readonly string[];
  /** Why there was nothing to run, where the step itself says so. */
  readonly nothingToRun?: string;
}

/** Enough of a message to know what happened; the whole of it stands where the test ran. */
const MESSAGE_LINES = 12;

/** The only skips that are not failures, by full title. Empty: nothing may be skipped. */
const ALLOWED_SKIPS: ReadonlySet<string> = new Set();

interface OutsideErrors {
  readonly errors?: readonly { readonly message?: string }[];
}

/** As scripts/test/vitest-report.ts and scripts/faults/main.ts write it. */
interface VitestReport extends OutsideErrors {
  readonly nothingToRun?: string;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles?: readonly string[];
      readonly title: string;
      readonly status: string;
      /** In milliseconds. */
      readonly duration?: number;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

interface PlaywrightSuite {
  readonly title?: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file?: string;
    readonly tests: readonly {
      readonly status: string;
      readonly projectName: string;
      readonly results: readonly { readonly duration?: number; readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

type PlaywrightReport = PlaywrightSuite & OutsideErrors & { readonly config?: { readonly rootDir?: string } };

/** A test by its file and titles, as it is printed. */
export function nameOf({ project, file, titles }: TestResult): string {
  return [project === undefined ? file : `[${project}] ${file}`, ...titles].join(" > ");
}

/** A failed test with the beginning of its output, as it is printed. */
export function failureOf(result: TestResult): string {
  const lines = stripVTControlCharacters(result.messages.join("\n")).split("\n");
  return [nameOf(result), ...lines.slice(0, MESSAGE_LINES).map((line) => `  ${line}`)].join("\n").trimEnd();
}

/** What an exit code says beyond the report: 1 is what a runner ends with when a test failed, or when something else is reported. */
export function exitProblems(exitCode: number, { results, problems }: Report): readonly string[] {
  if (exitCode === 0) return [];
  if (exitCode !== 1) return [`ended with exit code ${exitCode}`];
  const isExplained = problems.length > 0 || results.some(({ status }) => status === "failed");
  return isExplained ? [] : ["ended with exit code 1 though no test failed"];
}

function problemsOutside({ errors = [] }: OutsideErrors): string[] {
  return errors.map(({ message }) => `error outside a test: ${stripVTControlCharacters(message ?? "no reason given")}`);
}

function readVitest(report: VitestReport, root: string): Report {
  const results: TestResult[] = [];
  const skipped: string[] = [];
  const problems = problemsOutside(report);
  for (const { name, status, message = "", assertionResults } of report.testResults) {
    const file = isAbsolute(name) ? relative(root, name) : name;
    // The message of a file is of what happened outside of its tests.
    if (status === "failed" && (message !== "" || assertionResults.every((test) => test.status !== "failed")))
      problems.push(`${file} could not run: ${message === "" ? "no reason given" : message}`);
    if (assertionResults.length === 0 && status !== "failed") problems.push(`${file} has no test`);
    for (const test of assertionResults) {
      const titles = [...(test.ancestorTitles ?? []), test.title];
      const title = titles.join(" > ");
      if (test.status === "passed" || test.status === "failed")
        results.push({
          file,
          titles,
          status: test.status,
          seconds: (test.duration ?? 0) / 1000,
          messages: test.status === "failed" ? (test.failureMessages ?? []) : [],
        });
      // Only a worker that died leaves a test pending.
      else if (test.status === "pending") problems.push(`did not end: ${file} > ${title}`);
      else if (!ALLOWED_SKIPS.has(title)) skipped.push(title);
    }
  }
  const { nothingToRun } = report;
  return { results, skipped, problems, ...(nothingToRun === undefined ? {} : { nothingToRun }) };
}

function readPlaywright(report: PlaywrightReport, root: string): Report {
  const results: TestResult[] = [];
  const skipped: string[] = [];
  const problems = problemsOutside(report);
  const folder = report.config?.rootDir === undefined ? "" : relative(root, report.config.rootDir);
  const visit = (suite: PlaywrightSuite, around: readonly string[]): void => {
    for (const spec of suite.specs ?? []) {
      const titles = [...around, spec.title];
      for (const { status, projectName: project, results: runs } of spec.tests) {
        const isOnce = runs.length === 1;
        if (status === "skipped") {
          if (!ALLOWED_SKIPS.has(spec.title)) skipped.push(titles.join(" > "));
        } else if (status === "flaky" || (status === "expected" && !isOnce)) problems.push(`needed a retry: ${titles.join(" > ")}`);
        else {
          const seconds = runs.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000;
          const messages = status === "expected" ? [] : runs.flatMap(({ error }) => error?.message ?? []);
          const file = join(folder, spec.file ?? "");
          results.push({ file, titles, project, status: status === "expected" ? "passed" : "failed", seconds, messages });
        }
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, [...around, inner.title ?? ""]);
  };
  // The outermost suites are the files.
  visit({ specs: report.specs ?? [] }, []);
  for (const file of report.suites ?? []) visit(file, []);
  return { results, skipped, problems };
}

const EMPTY: Report = { results: [], skipped: [], problems: [] };

/**
 * Reads a JSON report of vitest or of Playwright.
 *
 * @param path of the report; missing, empty and unreadable ones are problems, never zeros
 * @param root directory that the files of the results are relative to
 */
export function readReport(path: string, root: string): Report {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return { ...EMPTY, problems: [`no readable report at ${path}: ${error instanceof Error ? error.message : String(error)}`] };
  }
  if (typeof content !== "object" || content === null) return { ...EMPTY, problems: [`the report ${path} holds no object`] };
  // The casts below are checked by the key that only that runner writes.
  const report =
    "testResults" in content
      ? readVitest(content as VitestReport, root)
      : "suites" in content
        ? readPlaywright(content as PlaywrightReport, root)
        : undefined;
  if (report === undefined) return { ...EMPTY, problems: [`the report ${path} is of no runner we know`] };
  const isEmpty = report.results.length + report.skipped.length + report.problems.length === 0;
  return isEmpty && report.nothingToRun === undefined ? { ...report, problems: [`the report ${path} holds no test`] } : report;
}
