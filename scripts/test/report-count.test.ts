import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { needsOf } from "./plan.ts";
import { countReport } from "./report-count.ts";

function reportFile(content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "binnacle-report-")), "report.json");
  writeFileSync(file, content);
  return file;
}

describe("counting reports", () => {
  test("sums what vitest says", () => {
    const file = reportFile(
      JSON.stringify({
        testResults: [
          {
            name: "a",
            status: "failed",
            assertionResults: [
              { fullName: "x", status: "passed" },
              { fullName: "y", status: "failed", failureMessages: ["\u001B[31mexpected 1\u001B[39m\n  at y.ts:1"] },
            ],
          },
        ],
      }),
    );
    expect(countReport(file)).toEqual({ passed: 1, failed: 1, failures: ["a > y\n  expected 1\n    at y.ts:1"], problems: [] });
  });

  test("a skipped test is a problem", () => {
    const file = reportFile(
      JSON.stringify({ testResults: [{ name: "a", status: "passed", assertionResults: [{ fullName: "x", status: "skipped" }] }] }),
    );
    expect(countReport(file).problems).toEqual(["skipped: x"]);
  });

  test("a file that could not be loaded is a problem", () => {
    const file = reportFile(JSON.stringify({ testResults: [{ name: "a", status: "failed", message: "boom", assertionResults: [] }] }));
    expect(countReport(file).problems).toEqual(["a could not run: boom"]);
  });

  test("a Playwright test that needed a retry is a problem", () => {
    const spec = (title: string, status: string, results: number): object => ({
      title,
      file: `${title}.spec.ts`,
      tests: [{ status, projectName: "real", results: Array.from({ length: results }, () => ({ error: { message: "boom" } })) }],
    });
    const file = reportFile(
      JSON.stringify({
        suites: [{ specs: [spec("a", "expected", 1)], suites: [{ specs: [spec("b", "flaky", 2), spec("c", "unexpected", 1)] }] }],
      }),
    );
    expect(countReport(file)).toEqual({
      passed: 1,
      failed: 1,
      failures: ["[real] c.spec.ts > c\n  boom"],
      problems: ["needed a retry: b"],
    });
  });

  test.each([
    ["missing", undefined],
    ["empty", ""],
    ["of an unknown runner", "{}"],
    ["without a test", '{"suites":[]}'],
  ])("a report that is %s is a problem, never a zero", (_name, content) => {
    const file = content === undefined ? join(tmpdir(), "binnacle-no-such-report.json") : reportFile(content);
    expect(countReport(file).problems).toHaveLength(1);
  });

  test("a test file names the parts it needs in one line", () => {
    expect(needsOf("import x;\n// needs: redis, control-plane\n")).toEqual(["redis", "control-plane"]);
    expect(needsOf("no line")).toEqual([]);
  });
});
