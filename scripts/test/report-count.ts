import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** What a report says. A problem is a failure that no test stands for. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** The tests that failed: file, name, and the beginning of what was said. */
  readonly failures: readonly string[];
  readonly problems: readonly string[];
}

/** Enough of a message to know what happened; the whole of it stands where the test ran. */
const MESSAGE_LINES = 12;

/** The only skips that are not failures, by full title. Empty: nothing may be skipped. */
const ALLOWED_SKIPS: ReadonlySet<string> = new Set();

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file?: string;
    readonly tests: readonly {
      readonly status: string;
      readonly projectName: string;
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

function failureOf(file: string, title: string, messages: readonly (string | undefined)[]): string {
  const lines = stripVTControlCharacters(messages.filter((message) => message !== undefined).join("\n")).split("\n");
  return [`${file} > ${title}`, ...lines.slice(0, MESSAGE_LINES).map((line) => `  ${line}`)].join("\n").trimEnd();
}

function countVitest(report: VitestReport): Count {
  let passed = 0;
  const failures: string[] = [];
  const problems: string[] = [];
  for (const file of report.testResults) {
    if (file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed")) {
      problems.push(`${file.name} could not run: ${file.message ?? "no reason given"}`);
    }
    if (file.assertionResults.length === 0 && file.status !== "failed") problems.push(`${file.name} has no test`);
    for (const test of file.assertionResults) {
      if (test.status === "passed") passed += 1;
      else if (test.status === "failed") failures.push(failureOf(file.name, test.fullName, test.failureMessages ?? []));
      else if (!ALLOWED_SKIPS.has(test.fullName)) problems.push(`skipped: ${test.fullName}`);
    }
  }
  return { passed, failed: failures.length, failures, problems };
}

function countPlaywright(report: PlaywrightSuite & { readonly errors?: readonly { readonly message?: string }[] }): Count {
  let passed = 0;
  const failures: string[] = [];
  const problems = (report.errors ?? []).map((error) => `error outside a test: ${error.message ?? "no reason given"}`);
  const visit = (suite: PlaywrightSuite): void => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        if (test.status === "expected" && test.results.length === 1) passed += 1;
        else if (test.status === "skipped") {
          if (!ALLOWED_SKIPS.has(spec.title)) problems.push(`skipped: ${spec.title}`);
        } else if (test.status === "flaky" || test.status === "expected") problems.push(`needed a retry: ${spec.title}`);
        else {
          const messages = test.results.map((result) => result.error?.message);
          failures.push(failureOf(`[${test.projectName}] ${spec.file ?? ""}`, spec.title, messages));
        }
      }
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  visit(report);
  return { passed, failed: failures.length, failures, problems };
}

const NOTHING: Count = { passed: 0, failed: 0, failures: [], problems: [] };

/**
 * Counts a JSON report of vitest or of Playwright.
 *
 * @param file path of the report; missing, empty and unreadable ones are problems, never zeros
 */
export function countReport(file: string): Count {
  let report: unknown;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return { ...NOTHING, problems: [`no readable report at ${file}: ${error instanceof Error ? error.message : String(error)}`] };
  }
  if (typeof report !== "object" || report === null) return { ...NOTHING, problems: [`the report ${file} holds no object`] };
  // The casts below are checked by the key that only that runner writes.
  const count =
    "testResults" in report
      ? countVitest(report as VitestReport)
      : "suites" in report
        ? countPlaywright(report as PlaywrightSuite)
        : undefined;
  if (count === undefined) return { ...NOTHING, problems: [`the report ${file} is of no runner we know`] };
  if (count.passed + count.failed === 0 && count.problems.length === 0) return { ...count, problems: [`the report ${file} holds no test`] };
  return count;
}
