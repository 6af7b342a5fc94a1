// long: runs runners within a runner, a minute
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { closingLines } from "./print-out.ts";
import { nameOf } from "./report.ts";
import { runPlan, type RunOutcome } from "./run-plan.ts";
import { playwrightStep, vitestStep } from "./runners.ts";
import type { Step } from "./step.ts";

const REPOSITORY = join(import.meta.dirname, "..", "..");
const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true });
});

/** Fails in the first process that runs it and passes in the next. */
const ONCE = `
  import { existsSync, writeFileSync } from "node:fs";
  import { expect, test } from "vitest";
  const failsOnce = (title) => test(title, () => {
    const mark = new URL(encodeURIComponent(title) + ".mark", import.meta.url);
    const isFirst = !existsSync(mark);
    writeFileSync(mark, "");
    expect(isFirst, "first output").toBe(false);
  });
`;

/** Runs a project of these files as `npm test` does; it lies in the repository, where its tests find vitest. */
async function runProject(files: Readonly<Record<string, string>>): Promise<RunOutcome & { readonly lines: readonly string[] }> {
  mkdirSync(join(REPOSITORY, "test-results"), { recursive: true });
  const root = mkdtempSync(join(REPOSITORY, "test-results", "second-run-"));
  made.push(root);
  const project = (name: string, ending: string): object => ({ test: { name, include: [`*.${ending}.js`], isolate: name !== "unit" } });
  const config = { test: { projects: [project("unit", "test"), project("integration", "itest")] } };
  writeFileSync(join(root, "vitest.config.js"), `export default ${JSON.stringify(config)};`);
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), source);
  }
  const reports = join(root, "reports");
  const context = { root, reports, excluded: [], long: [] };
  const has = (ending: string): boolean => Object.keys(files).some((name) => name.endsWith(ending));
  const steps = [
    ...(has(".test.js") ? [vitestStep(context, "unit")] : []),
    ...(has(".itest.js") ? [vitestStep(context, "integration")] : []),
    ...(has(".spec.ts") ? [playwrightStep(context, { project: "pages", where: "of pages" })] : []),
  ];
  const outcome = await runPlan(steps, { root, reports, environment: process.env, isQuiet: true });
  return { ...outcome, lines: closingLines(outcome, []) };
}

const flakyOf = ({ flaky }: RunOutcome): readonly string[] => flaky.map(nameOf);
const firstLines = (failures: readonly string[]): readonly string[] => failures.map((failure) => failure.split("\n")[0] ?? "");

test("a unit test that fails once or only beside its neighbours is flaky, one that fails twice is a failure", async () => {
  const outcome = await runProject({
    "a.test.js": `${ONCE}
      test("fails twice (of two)", () => expect(1).toBe(2));
      failsOnce("fails once?");
      test("sets", () => { globalThis.neighbour = true; });
      test("fails beside its neighbour", () => expect(globalThis.neighbour, "has a neighbour").toBeUndefined());
    `,
  });
  expect(firstLines(outcome.failures)).toEqual(["a.test.js > fails twice (of two)"]);
  expect(flakyOf(outcome)).toEqual(["a.test.js > fails once?", "a.test.js > fails beside its neighbour"]);
  expect([outcome.passed, outcome.failed]).toEqual([3, 1]);
  expect(outcome.lines.slice(-2)).toEqual(["flaky: 2", "3 passed, 1 failed"]);
  expect(outcome.lines.find((line) => line.startsWith("flaky: a.test.js > fails once?"))).toContain("first output");
});

test("a file that cannot load is not run again, and an error outside of tests stays a failure", async () => {
  const outcome = await runProject({
    "broken.test.js": `${ONCE} failsOnce("never runs"); await import("./absent.js");`,
    "late.test.js": `${ONCE} failsOnce("fails once");
      test("throws late", () => { setTimeout(() => { throw new Error("late"); }, 0); return new Promise((resolve) => setTimeout(resolve, 20)); });`,
  });
  expect(flakyOf(outcome)).toEqual(["late.test.js > fails once"]);
  expect(firstLines(outcome.failures)).toEqual([
    expect.stringContaining("error outside a test: Error: late"),
    expect.stringContaining("broken.test.js could not run"),
  ]);
  expect([outcome.passed, outcome.failed]).toEqual([2, 2]);
});

test("four flaky tests fail the run, three do not", async () => {
  const titles = ["a", "b", "c", "d"];
  const outcomeOf = (count: number): ReturnType<typeof runProject> =>
    runProject({ "x.itest.js": `${ONCE} for (const title of ${JSON.stringify(titles.slice(0, count))}) failsOnce(title);` });
  const [three, four] = [await outcomeOf(3), await outcomeOf(4)];
  expect(three.lines.slice(-2)).toEqual(["flaky: 3", "3 passed, 0 failed"]);
  expect(four.lines.slice(-2)).toEqual(["flaky: 4", "4 passed, 1 failed"]);
});

test("more than ten failures are not run again", async () => {
  const outcome = await runProject({ "x.test.js": `${ONCE} for (let n = 0; n < 11; n += 1) failsOnce("test " + n);` });
  expect(outcome.lines.slice(-2)).toEqual(["flaky: 0", "0 passed, 11 failed"]);
  expect(outcome.notes).toEqual(["no second run: more than 10 failures"]);
});

test("an integration test is run again with its whole file, on which it builds", async () => {
  const outcome = await runProject({
    "x.itest.js": `${ONCE}
      let prepared;
      test("prepares", () => { prepared = 1; });
      failsOnce("fails once");
      test("builds on the first", () => expect(prepared).toBe(1));
    `,
  });
  expect(flakyOf(outcome)).toEqual(["x.itest.js > fails once"]);
  expect(outcome.lines.slice(-1)).toEqual(["3 passed, 0 failed"]);
});

test("a browser test is run again with its whole file and in its project", async () => {
  const outcome = await runProject({
    "e2e/playwright.config.ts": `
      import { defineConfig } from "@playwright/test";
      export default defineConfig({ testDir: "tests", reporter: "json", projects: [{ name: "pages" }, { name: "real" }] });
    `,
    "e2e/tests/x.spec.ts": `
      import { appendFileSync, readFileSync } from "node:fs";
      import { expect, test } from "@playwright/test";
      const log = new URL("runs.log", import.meta.url);
      test("is run with the file", ({}, { project }) => appendFileSync(log, project.name + " "));
      test("fails once", () => expect(readFileSync(log, "utf8")).toBe("pages pages "));
    `,
    "e2e/tests/other.spec.ts": `
      import { test } from "@playwright/test";
      test("passes", () => {});
    `,
  });
  expect(flakyOf(outcome)).toEqual(["[pages] e2e/tests/x.spec.ts > fails once"]);
  expect([outcome.passed, outcome.failed, outcome.failures]).toEqual([3, 0, []]);
});

test("a test that passed and fails in the second run of its file is a failure", async () => {
  const outcome = await runProject({
    "x.itest.js": `${ONCE}
      test("passes once", () => expect(existsSync(new URL("fails%20once.mark", import.meta.url))).toBe(false));
      failsOnce("fails once");
    `,
  });
  expect(flakyOf(outcome)).toEqual(["x.itest.js > fails once"]);
  expect(firstLines(outcome.failures)).toEqual(["in the second run: x.itest.js > passes once"]);
  expect([outcome.passed, outcome.failed]).toEqual([1, 1]);
});

test("a failure of a process of ours that died is not run again", async () => {
  const outcome = await runProject({
    "x.test.js": `${ONCE} test("starts", () => { throw new Error("apps/kas/src/main.ts ended with SIGSEGV:\\nlog"); }); failsOnce("fails once");`,
  });
  expect(firstLines(outcome.failures)).toEqual(["x.test.js > starts"]);
  expect(flakyOf(outcome)).toEqual(["x.test.js > fails once"]);
});

test("a runner that a signal ended is a failure, whatever its report says", async () => {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-second-run-"));
  made.push(directory);
  const [reports, vitest] = [
    join(directory, "reports"),
    vitestStep({ root: directory, reports: join(directory, "reports"), excluded: [], long: [] }, "unit"),
  ];
  const reportOf = (status: string): string =>
    JSON.stringify({ testResults: [{ name: "a.test.js", status, assertionResults: [{ title: "a", status }] }] });
  const writing = (status: string, report: string, end: string): string =>
    `require("node:fs").writeFileSync(${JSON.stringify(report)}, ${JSON.stringify(reportOf(status))}); ${end}`;
  const report = join(reports, "unit.json");
  const step: Step = {
    ...vitest,
    command: ["-e", writing("failed", report, 'process.kill(process.pid, "SIGKILL")')],
    secondRun: { scope: "test", command: (_test, second) => ({ command: ["-e", writing("passed", second, "")], env: {} }) },
  };
  const outcome = await runPlan([step], { root: directory, reports, environment: process.env, isQuiet: true });
  expect(outcome.failures).toEqual(["unit tests: ended with exit code 128"]);
  expect([outcome.passed, outcome.failed, outcome.flaky.length]).toEqual([1, 1, 1]);
});

test("a second run that ends in another way than with its tests turns none of them", async () => {
  const outcome = await runProject({
    "x.itest.js": `${ONCE}
      if (existsSync(new URL("fails%20once.mark", import.meta.url))) throw new Error("cannot load");
      failsOnce("fails once");
      test("passes", () => {});
    `,
  });
  expect(flakyOf(outcome)).toEqual([]);
  expect([outcome.passed, outcome.failed]).toEqual([1, 1]);
  expect(outcome.notes).toEqual([expect.stringContaining("second run: x.itest.js: x.itest.js could not run: cannot load")]);
});
