import { join } from "node:path";

import { expect, test } from "vitest";

import { planOf, type Plan, type Step } from "./plan.ts";

const request = { root: join(import.meta.dirname, "..", ".."), reports: "/reports", missing: [], only: [] };
const stepsOf = ({ rounds }: Plan): Step[] => rounds.flat(2);
const titlesOf = (lanes: readonly (readonly Step[])[]): string[] => lanes.flat().map(({ title }) => title);

test("browsers come when everything else has ended, the dashboard's build before them", () => {
  const { rounds, left } = planOf(request);
  expect(rounds).toHaveLength(2);
  expect(titlesOf(rounds[0] ?? [])).toContain("build of the dashboard");
  expect(titlesOf(rounds[1] ?? [])).toEqual([
    "end-to-end tests on the embedded cluster",
    "end-to-end tests on the real cluster",
    "end-to-end tests of pages without a cluster",
  ]);
  expect(left).toEqual([]);
});

test("no two steps write one report, and all that have tests write one", () => {
  const steps = stepsOf(planOf(request));
  const reports = steps.map(({ report }) => report).filter((report) => report !== undefined);
  expect(new Set(reports).size).toBe(steps.length - 1);
});

test("only what is named runs, in no empty lane", () => {
  const plan = planOf({ ...request, only: ["integration"] });
  expect(stepsOf(plan).map(({ title }) => title)).toEqual(["integration tests"]);
  expect(plan.rounds).toHaveLength(1);
  expect(plan.rounds[0]).toHaveLength(1);
});

test("a step whose part is missing is said, and so is every file that needs it", () => {
  const { rounds, left } = planOf({ ...request, missing: ["control-plane"] });
  expect(titlesOf(rounds.at(-1) ?? [])).toEqual([
    "end-to-end tests on the embedded cluster",
    "end-to-end tests of pages without a cluster",
  ]);
  expect(left).toContain("end-to-end tests on the real cluster (needs control-plane)");
  expect(left).toContain("e2e/tests/access.spec.ts needs control-plane");
});
