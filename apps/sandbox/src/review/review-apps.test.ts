import { beforeEach, expect, test } from "vitest";

import { createDemoSeed } from "../demo/demo-seed.ts";
import { World } from "../main-application/world.ts";
import type { Branch } from "./branches.ts";
import { ReviewApps, type ReviewJob } from "./review-apps.ts";

const branch = (name: string, sha = "a".repeat(40)): Branch => ({ name, sha, authorName: "Devi", title: `Try ${name}` });

let world: World;
let branches: readonly Branch[] | Error;
/** What was done, with the state that the environment had then. */
let done: string[];
let failures: string[];
let fails: boolean;
let apps: ReviewApps;

beforeEach(() => {
  world = new World(createDemoSeed({ foreignCluster: false, colleagues: 0, agents: 1 }));
  [branches, done, failures, fails] = [[], [], [], false];
  const [project] = world.projects;
  if (!project) throw new Error("there is a project");
  const work =
    (what: string) =>
    async ({ environment, job, branch: of }: ReviewJob): Promise<void> => {
      await Promise.resolve();
      const isTokenGood = world.ciJobs.some(({ token }) => token === job.token);
      done.push(`${what} ${environment.name} ${of.sha.slice(0, 1)} ${stateOf(environment.name)} ${String(isTokenGood)}`);
      if (fails) throw new Error("the job failed");
    };
  apps = new ReviewApps({
    world,
    project,
    userId: 2,
    agentId: 1,
    branches: async () => {
      if (branches instanceof Error) throw branches;
      return branches;
    },
    work: { deploy: work("deploy"), stop: work("stop") },
    now: () => new Date(0),
    failed: (error, environment) => failures.push(`${environment}: ${String(error)}`),
  });
});

const found = (name: string) => world.environments.find((environment) => environment.name === name);
const stateOf = (name: string): string => found(name)?.state ?? "none";

test("a branch has an environment of its own, with what was deployed to it, and a token for as long as the job runs", async () => {
  branches = [branch("a")];
  await apps.pushed();
  expect(done).toEqual(["deploy review/a a available true"]);
  const environment = found("review/a");
  expect(environment).toMatchObject({ state: "available", agentId: 1, namespace: environment?.slug });
  expect(world.lastDeployment(environment?.id ?? 0)).toMatchObject({ ref: "a", sha: "a".repeat(40), title: "Try a", userId: 2 });
  expect(world.ciJobs).toHaveLength(1);
});

test("a push of the same deploys nothing, one of another commit does", async () => {
  branches = [branch("a")];
  await Promise.all([apps.pushed(), apps.pushed(), apps.pushed()]);
  branches = [branch("a", "b".repeat(40))];
  await apps.pushed();
  expect(done).toEqual(["deploy review/a a available true", "deploy review/a b available true"]);
});

test("a branch that is deleted stops its environment, and one that comes back starts the same", async () => {
  branches = [branch("a"), branch("b")];
  await apps.pushed();
  const id = found("review/a")?.id;
  branches = [branch("b")];
  await apps.pushed();
  expect(done.at(-1)).toBe("stop review/a a stopping true");
  expect([stateOf("review/a"), stateOf("review/b")]).toEqual(["stopped", "available"]);
  branches = [branch("a"), branch("b")];
  await apps.pushed();
  expect([stateOf("review/a"), found("review/a")?.id]).toEqual(["available", id]);
});

test("a job that fails is reported, and repeated at the next push", async () => {
  branches = [branch("a")];
  fails = true;
  await apps.pushed();
  expect(failures).toEqual(["review/a: Error: the job failed"]);
  expect(world.lastDeployment(found("review/a")?.id ?? 0)).toBeUndefined();
  fails = false;
  await apps.pushed();
  expect(world.lastDeployment(found("review/a")?.id ?? 0)).toBeDefined();
  branches = [];
  fails = true;
  await apps.pushed();
  expect(stateOf("review/a")).toBe("stopping");
  fails = false;
  await apps.pushed();
  expect(stateOf("review/a")).toBe("stopped");
  expect(world.ciJobs).toHaveLength(1);
});

test("of a branch whose job has failed the environment is stopped, too", async () => {
  branches = [branch("a")];
  fails = true;
  await apps.pushed();
  expect(stateOf("review/a")).toBe("available");
  [branches, fails] = [[], false];
  await apps.pushed();
  expect(stateOf("review/a")).toBe("stopped");
});

test("there are fifty at most: one more is reported, and replaces none", async () => {
  branches = Array.from({ length: 50 }, (_, index) => branch(`b${index}`));
  await apps.pushed();
  branches = [branch("a"), ...branches];
  await apps.pushed();
  expect(failures).toEqual(["review/a: Error: there are 50 already"]);
  expect(done.filter((line) => line.startsWith("stop"))).toEqual([]);
});

test("a repository that cannot be read stops nothing", async () => {
  branches = [branch("a")];
  await apps.pushed();
  branches = new Error("no such repository");
  await apps.pushed();
  expect(stateOf("review/a")).toBe("available");
  expect(failures).toEqual(["review/*: Error: no such repository"]);
});
