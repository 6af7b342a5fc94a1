import { describe, expect, test } from "vitest";

import { allowedAgentsOf } from "./ci-access.ts";
import { World, type CiJob } from "./world.ts";

const CI_JOB = { access_as: { ci_job: {} } };
const PRODUCTION = { name: "production", slug: "production", tier: "production" };
const REVIEW = { name: "review/fix-1", slug: "review-fix-1-abc", tier: "development" };

function job(changes: Partial<CiJob> = {}): CiJob {
  const own = { environment: PRODUCTION, isOnProtectedBranch: true };
  return { id: 5, pipelineId: 6, projectId: 1, userId: 1, token: "t", ...own, ...changes };
}

/** What a job may use where agent 1, of another project, has such a `ci_access`, and agent 2, of the job's own, has none. */
function allowed(ciAccess: unknown, of: CiJob = job()): Record<number, unknown> {
  const project = { name: "app", groupId: 1, members: new Map() };
  const world = new World({
    users: [],
    projects: [
      { ...project, id: 1, fullPath: "group/sub/app" },
      { ...project, id: 2, fullPath: "ops/agents" },
    ],
    agents: [
      { id: 1, name: "shared", projectId: 2, token: "a" },
      { id: 2, name: "own", projectId: 1, token: "b" },
    ],
    environments: [],
    ciJobs: [of],
  });
  world.setConfiguration(1, { ci_access: ciAccess });
  return Object.fromEntries(allowedAgentsOf(world, of).map(({ id, configuration }) => [id, configuration]));
}

function isAllowed(entry: Record<string, unknown>, of: CiJob): boolean {
  return 1 in allowed({ projects: [{ id: "group/sub/app", ...entry }] }, of);
}

test("agents of the job's own project need no list; as the agent", () => {
  expect(allowed(undefined)).toEqual({ 2: { access_as: { agent: {} } } });
});

describe("who is listed", () => {
  const elsewhere = { projects: [{ id: "group/other" }], groups: [{ id: "group/sub/app" }, { id: "gro" }] };

  test.each([
    ["the project", { projects: [{ id: "group/sub/app", default_namespace: "p", ...CI_JOB }] }, { default_namespace: "p", ...CI_JOB }],
    ["the project, written otherwise", { projects: [{ id: "Group/Sub/App" }] }, { access_as: { agent: {} } }],
    ["a group", { groups: [{ id: "group", ...CI_JOB }] }, CI_JOB],
    ["two groups: the nearer", { groups: [{ id: "group" }, { id: "group/sub", ...CI_JOB }] }, CI_JOB],
    ["project and group: the project", { groups: [{ id: "group/sub" }], projects: [{ id: "group/sub/app", ...CI_JOB }] }, CI_JOB],
    ["the instance", { instance: CI_JOB }, CI_JOB],
    ["others", elsewhere, undefined],
    ["none", {}, undefined],
  ])("%s", (_, ciAccess, expected) => {
    expect(allowed(ciAccess)[1]).toEqual(expected);
  });
});

describe("environments of an entry", () => {
  test.each([
    ["none named", [], PRODUCTION, true],
    ["none named, no environment", [], null, true],
    ["the same", ["production"], PRODUCTION, true],
    ["another", ["staging"], PRODUCTION, false],
    ["one of several", ["staging", "prod*"], PRODUCTION, true],
    ["a beginning", ["review/*"], REVIEW, true],
    ["an end", ["*-1"], REVIEW, true],
    ["in the middle", ["re*/*-1"], REVIEW, true],
    ["overlapping", ["review/fix-1*fix-1"], REVIEW, false],
    ["by slug, which does not count", ["review-fix*"], REVIEW, false],
    ["everything", ["*"], REVIEW, true],
    ["everything, no environment", ["*"], null, false],
    ["an expression, which it is not", ["prod.+"], PRODUCTION, false],
  ] as const)("%s", (...[, environments, environment, expected]) => {
    expect(isAllowed({ environments }, job({ environment }))).toBe(expected);
  });
});

test.each([
  [true, true, true],
  [true, false, false],
  [false, false, true],
  [undefined, false, true],
])("protected_branches_only %s, on a protected branch %s: %s", (only, isOnProtectedBranch, expected) => {
  expect(isAllowed({ protected_branches_only: only }, job({ isOnProtectedBranch }))).toBe(expected);
});

test("an entry that is not for the job is no way in by another one", () => {
  const entry = { id: "group/sub/app", environments: ["staging"] };
  expect(1 in allowed({ projects: [entry], groups: [{ id: "group" }], instance: {} })).toBe(false);
});
