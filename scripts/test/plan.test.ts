import { join } from "node:path";

import { expect, test } from "vitest";

import { nextOf, planOf, type Plan, type Step } from "./plan.ts";

const request = { root: join(import.meta.dirname, "..", ".."), reports: "/reports", missing: [], only: [] };
const titlesOf = ({ steps }: Pick<Plan, "steps">): string[] => steps.map(({ title }) => title);

/** What begins, one after the other, when each ends before the next begins. */
function inOrder(plan: Plan): string[] {
  const done = new Set<Step>();
  const titles: string[] = [];
  for (let step = nextOf(plan, done, done); step !== undefined; step = nextOf(plan, done, done)) {
    titles.push(step.title);
    done.add(step);
  }
  return titles;
}

test("browsers come last, and only when the build of the dashboard has ended", () => {
  const plan = planOf(request);
  expect(plan.left).toEqual([]);
  expect(inOrder(plan)).toEqual(titlesOf(plan));
  expect(titlesOf(plan).slice(-4)).toEqual([
    "build of the dashboard",
    "end-to-end tests on the real cluster",
    "end-to-end tests on the embedded cluster",
    "end-to-end tests of pages without a cluster",
  ]);
  const build = plan.steps.at(-4);
  const begun = new Set(plan.steps.slice(0, -3));
  expect(nextOf(plan, begun, new Set())).toBeUndefined();
  expect(nextOf(plan, begun, new Set(build && [build]))?.title).toBe("end-to-end tests on the real cluster");
});

test("no two steps write one report, and all that have tests write one", () => {
  const { steps } = planOf(request);
  const reports = steps.map(({ report }) => report).filter((report) => report !== undefined);
  expect(new Set(reports).size).toBe(steps.length - 1);
});

test("only what is named runs, and waits for nothing that does not", () => {
  expect(inOrder(planOf({ ...request, only: ["integration"] }))).toEqual(["integration tests"]);
  expect(titlesOf(planOf({ ...request, only: ["integration"] }))).toEqual(["integration tests"]);
  expect(inOrder(planOf({ ...request, only: ["pages"] }))).toEqual(["end-to-end tests of pages without a cluster"]);
});

test("a step whose part is missing is said, and so is every file that needs it", () => {
  const plan = planOf({ ...request, missing: ["control-plane"] });
  expect(titlesOf(plan).filter((title) => title.startsWith("end-to-end"))).toEqual([
    "end-to-end tests on the embedded cluster",
    "end-to-end tests of pages without a cluster",
  ]);
  expect(plan.left).toContain("end-to-end tests on the real cluster (needs control-plane)");
  expect(plan.left).toContain("e2e/tests/access.spec.ts needs control-plane");
});
