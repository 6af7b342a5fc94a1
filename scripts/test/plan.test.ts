import { join } from "node:path";

import { expect, test } from "vitest";

import { nextOf } from "./lanes.ts";
import { planOf, TEST_PART_NAMES, type Plan } from "./plan.ts";
import type { Step } from "./step.ts";
import { longTestFiles, vitestProjectOf } from "./test-files.ts";

const request = { root: join(import.meta.dirname, "..", ".."), reports: "/reports", missing: [], selection: { kind: "all" as const } };
const titlesOf = ({ steps }: Pick<Plan, "steps">): string[] => steps.map(({ title }) => title);
const planOfParts = (...parts: readonly string[]): Plan => planOf({ ...request, selection: { kind: "some", parts, files: new Map() } });
const planOfFiles = (part: string, ...files: readonly string[]): Plan =>
  planOf({ ...request, selection: { kind: "some", parts: [], files: new Map([[part, files]]) } });

/** What begins, one after the other, when each ends before the next begins. */
function inOrder({ steps }: Plan): string[] {
  const done = new Set<Step>();
  const titles: string[] = [];
  for (let step = nextOf(steps, done, done); step !== undefined; step = nextOf(steps, done, done)) {
    titles.push(step.title);
    done.add(step);
  }
  return titles;
}

test("browsers begin only when the build of the dashboard has ended, and the short unit tests come last", () => {
  const plan = planOf(request);
  expect(plan.left).toEqual([]);
  expect(inOrder(plan)).toEqual(titlesOf(plan));
  expect(titlesOf(plan).slice(-4)).toEqual([
    "end-to-end tests on the real cluster",
    "end-to-end tests on the embedded cluster",
    "end-to-end tests of pages without a cluster",
    "unit tests",
  ]);
  const build = plan.steps.find(({ title }) => title === "build of the dashboard");
  const begun = new Set(plan.steps.slice(0, -4));
  expect(begun).toContain(build);
  expect(nextOf(plan.steps, begun, new Set())?.title).toBe("unit tests");
  expect(nextOf(plan.steps, begun, new Set(build && [build]))?.title).toBe("end-to-end tests on the real cluster");
});

test("no two steps write one report, and all that have tests write one", () => {
  const { steps } = planOfParts(...TEST_PART_NAMES);
  const reports = steps.map(({ report }) => report).filter((report) => report !== undefined);
  expect(steps).toHaveLength(TEST_PART_NAMES.length);
  expect(new Set(reports).size).toBe(steps.length - 1);
});

test("only what is named runs, and waits for nothing that does not", () => {
  expect(inOrder(planOfParts("integration"))).toEqual(["integration tests"]);
  expect(titlesOf(planOfParts("integration"))).toEqual(["integration tests"]);
  expect(inOrder(planOfParts("pages"))).toEqual(["end-to-end tests of pages without a cluster"]);
});

test("files of the real cluster run on the embedded one only when they are named", () => {
  const title = "end-to-end tests on the embedded cluster, those of the real one too";
  expect(titlesOf(planOf(request))).not.toContain(title);
  expect(titlesOf(planOfParts("embedded-all"))).toEqual([title]);
});

test("planted faults of all packages run only when they are named", () => {
  expect(titlesOf(planOf(request))).toContain("planted faults of what changed");
  expect(titlesOf(planOf(request))).not.toContain("all planted faults");
  expect(titlesOf(planOfParts("faults-all"))).toEqual(["all planted faults"]);
});

test("clients that are fetched and built first run only when they are named, or a file of theirs is", () => {
  expect(titlesOf(planOf(request))).not.toContain("foreign-clients tests");
  expect(titlesOf(planOfParts("foreign-clients"))).toEqual(["foreign-clients tests"]);
  const file = "e2e/foreign-clients/older-kubectl.itest.ts";
  expect(planOfFiles("foreign-clients", file).steps[0]?.command).toContain(file);
  expect(vitestProjectOf(file)).toBe("foreign-clients");
});

test("planted faults, builds and nothing else are never run a second time", () => {
  const once = planOfParts(...TEST_PART_NAMES).steps.filter(({ secondRun }) => secondRun === undefined);
  expect(once.map(({ title }) => title)).toEqual(["build of the dashboard", "planted faults of what changed", "all planted faults"]);
});

test("single files run with the runner of their part", () => {
  const { steps, left } = planOfFiles("unit", "scripts/test/plan.test.ts");
  expect(steps.map(({ title, command }) => [title, command.slice(1).includes("scripts/test/plan.test.ts")])).toEqual([
    ["unit tests", true],
  ]);
  expect(left).toEqual([]);
  expect(planOfFiles("real", "e2e/tests/access.spec.ts").steps[0]?.command).toContain(String.raw`e2e/tests/access\.spec\.ts$`);
});

test("long test files run only when they are named", () => {
  const long = longTestFiles(request.root);
  expect(long).toContain("e2e/tests/restarts.spec.ts");
  expect(long).toContain("scripts/test/second-run.itest.ts");
  const all = planOf(request);
  expect(all.steps.find(({ title }) => title === "end-to-end tests on the real cluster")?.env["E2E_EXCLUDE"]).toContain("restarts.spec.ts");
  expect(planOfFiles("real", "e2e/tests/restarts.spec.ts").steps[0]?.env["E2E_EXCLUDE"]).toBe("");
  const integration = all.steps.find(({ title }) => title === "integration tests")?.command.join(" ");
  expect(integration).toContain("--exclude scripts/test/second-run.itest.ts");
  expect(planOfFiles("integration", "scripts/test/second-run.itest.ts").steps[0]?.command.join(" ")).not.toContain("--exclude");
});

test("a step whose part is missing is reported, and so is every file that needs it", () => {
  const plan = planOf({ ...request, missing: ["control-plane"] });
  expect(titlesOf(plan).filter((title) => title.startsWith("end-to-end"))).toEqual([
    "end-to-end tests on the embedded cluster",
    "end-to-end tests of pages without a cluster",
  ]);
  expect(plan.left).toContain("end-to-end tests on the real cluster (needs control-plane)");
  expect(plan.left).toContain("e2e/tests/access.spec.ts needs control-plane");
});

test("a single file that needs a missing part is reported instead of run", () => {
  const selection = { kind: "some" as const, parts: [], files: new Map([["real", ["e2e/tests/access.spec.ts"]]]) };
  expect(planOf({ ...request, missing: ["control-plane"], selection })).toEqual({
    steps: [],
    left: ["e2e/tests/access.spec.ts needs control-plane"],
  });
});
