import { join } from "node:path";

import { expect, test } from "vitest";

import { planOf, type Plan } from "./plan.ts";

const request = { root: join(import.meta.dirname, "..", ".."), reports: "/reports", missing: [], only: [] };
const titlesOf = ({ lanes, after }: Plan): string[] => [...lanes.flat(), ...after].map(({ title }) => title);

test("browsers come when everything else has ended, the dashboard's build before them", () => {
  const { lanes, after, left } = planOf(request);
  expect(lanes.flat().map(({ title }) => title)).toContain("build of the dashboard");
  expect(after.map(({ title }) => title)).toEqual(["end-to-end tests on the embedded cluster", "end-to-end tests on the real cluster"]);
  expect(left).toEqual([]);
});

test("no two steps write one report, and all that have tests write one", () => {
  const { lanes, after } = planOf(request);
  const steps = [...lanes.flat(), ...after];
  const reports = steps.map(({ report }) => report).filter((report) => report !== undefined);
  expect(new Set(reports).size).toBe(steps.length - 1);
});

test("only what is named runs, in no empty lane", () => {
  const plan = planOf({ ...request, only: ["integration"] });
  expect(titlesOf(plan)).toEqual(["integration tests"]);
  expect(plan.lanes).toHaveLength(1);
});

test("a step whose part is missing is said, and so is every file that needs it", () => {
  const { after, left } = planOf({ ...request, missing: ["control-plane"] });
  expect(after.map(({ title }) => title)).toEqual(["end-to-end tests on the embedded cluster"]);
  expect(left).toContain("end-to-end tests on the real cluster (needs control-plane)");
  expect(left).toContain("e2e/tests/access.spec.ts needs control-plane");
});
