import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { needsOf } from "./plan.ts";
import { failureOf, readReport, type Report } from "./report.ts";

const ROOT = "/repository";

function reportOf(content: unknown): Report {
  const file = join(mkdtempSync(join(tmpdir(), "binnacle-report-")), "report.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return readReport(file, ROOT);
}

const vitestFile = (assertionResults: readonly object[], more: object = {}): object => ({
  testResults: [{ name: `${ROOT}/a.test.ts`, status: "passed", message: "", assertionResults, ...more }],
});

describe("reports", () => {
  test("of vitest give each test with its file, titles, seconds and failure", () => {
    const report = reportOf(
      vitestFile(
        [
          { ancestorTitles: ["block"], title: "x", status: "passed", duration: 1500 },
          { ancestorTitles: [], title: "y", status: "failed", failureMessages: ["\u001B[31mexpected 1\u001B[39m\n  at y.ts:1"] },
        ],
        { status: "failed" },
      ),
    );
    expect(report.results.map(({ file, titles, status, seconds }) => [file, titles, status, seconds])).toEqual([
      ["a.test.ts", ["block", "x"], "passed", 1.5],
      ["a.test.ts", ["y"], "failed", 0],
    ]);
    expect(report.results.slice(1).map(failureOf)).toEqual(["a.test.ts > y\n  expected 1\n    at y.ts:1"]);
    expect([...report.skipped, ...report.problems]).toEqual([]);
  });

  test("name a skipped test", () => {
    expect(reportOf(vitestFile([{ title: "x", status: "skipped" }])).skipped).toEqual(["x"]);
  });

  test.each([
    ["that could not be loaded", vitestFile([], { status: "failed", message: "boom" }), "a.test.ts could not run: boom"],
    ["without a test", vitestFile([]), "a.test.ts has no test"],
    [
      "with a failure outside of its tests",
      vitestFile([{ title: "x", status: "failed" }], { status: "failed", message: "boom" }),
      "a.test.ts could not run: boom",
    ],
    ["whose worker died in a test", vitestFile([{ title: "x", status: "pending" }]), "did not end: a.test.ts > x"],
  ])("name a file %s as a problem", (_name, content, problem) => {
    expect(reportOf(content).problems).toEqual([problem]);
  });

  test("name errors outside of tests as problems", () => {
    expect(reportOf({ ...vitestFile([{ title: "x", status: "passed" }]), errors: [{ message: "Error: late" }] }).problems).toEqual([
      "error outside a test: Error: late",
    ]);
  });

  test("of Playwright give each test with its project, and name a retry as a problem", () => {
    const spec = (title: string, status: string, results: number): object => ({
      title,
      file: `${title}.spec.ts`,
      tests: [
        { status, projectName: "real", results: Array.from({ length: results }, () => ({ duration: 500, error: { message: "boom" } })) },
      ],
    });
    const report = reportOf({
      config: { rootDir: `${ROOT}/e2e/tests` },
      suites: [
        {
          title: "a.spec.ts",
          specs: [spec("a", "expected", 1)],
          suites: [{ title: "block", specs: [spec("b", "flaky", 2), spec("c", "unexpected", 1)] }],
        },
      ],
    });
    expect(report.results).toEqual([
      { file: "e2e/tests/a.spec.ts", titles: ["a"], project: "real", status: "passed", seconds: 0.5, messages: [] },
      { file: "e2e/tests/c.spec.ts", titles: ["block", "c"], project: "real", status: "failed", seconds: 0.5, messages: ["boom"] },
    ]);
    expect(report.results.slice(1).map(failureOf)).toEqual(["[real] e2e/tests/c.spec.ts > block > c\n  boom"]);
    expect(report.problems).toEqual(["needed a retry: block > b"]);
  });

  test.each([
    ["empty", ""],
    ["of an unknown runner", "{}"],
    ["without a test", '{"suites":[]}'],
    ["of vitest without a file", '{"testResults":[]}'],
  ])("that are %s are a problem, never a zero", (_name, content) => {
    expect(reportOf(content).problems).toHaveLength(1);
  });

  test("that are missing are a problem", () => {
    expect(readReport(join(tmpdir(), "binnacle-no-such-report.json"), ROOT).problems).toHaveLength(1);
  });

  test("may say that there was nothing to run, which is no problem", () => {
    expect(reportOf({ testResults: [], nothingToRun: "no package changed" })).toEqual({
      results: [],
      skipped: [],
      problems: [],
      nothingToRun: "no package changed",
    });
  });

  test("a test file names the parts it needs in one line", () => {
    expect(needsOf("import x;\n// needs: redis, control-plane\n")).toEqual(["redis", "control-plane"]);
    expect(needsOf("no line")).toEqual([]);
  });
});
