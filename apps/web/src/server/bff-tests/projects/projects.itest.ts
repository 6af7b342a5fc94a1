import { Code, ConnectError } from "@connectrpc/connect";
import type { ProjectSummary } from "@binnacle/proto/dashboard";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../../testing/dashboard-world.ts";

const PROJECT = "group/app";
const DEVELOPER = "_gitlab_session=session-developer";
/** What kas answers by itself. */
const OWN_ANSWER = "GET /binnacle/v1/gitops/syncs";

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "developer", "outsider"]);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" }, status: { phase: "Running" } });
  world.kas.gitops = (_project, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ syncs: [] }));
});
afterEach(() => world.close());

/** Every summary of the project, in order. */
async function linesOf(fullPaths: string[], cookie?: string): Promise<ProjectSummary[]> {
  const lines: ProjectSummary[] = [];
  for await (const { projects } of world.clientWith(cookie).summarizeProjects({ fullPaths })) lines.push(...projects);
  return lines;
}

/** The maintainer has seen the environment, and left. */
async function look(resources = 1): Promise<void> {
  const leaving = new AbortController();
  const tab = world.tab({}, undefined, leaving.signal);
  await tab.until(() => tab.isComplete() && tab.nodes.size === resources);
  leaving.abort();
  await tab.ended;
}

test("S12: a project in one line: not known yet at first, then what one read finds; no watch is begun, and the stream ends", async () => {
  world.start();
  const lines = await linesOf([PROJECT, "group/none"]);
  const own = lines.filter(({ fullPath }) => fullPath === PROJECT);
  expect(own[0]).toMatchObject({ environments: 1, known: 0, done: false });
  expect(own[0]?.worst).toBeUndefined();
  expect(own.at(-1)).toMatchObject({ environments: 1, known: 1, done: true });
  expect(own.at(-1)?.worst).toBeDefined();
  expect(lines.filter(({ fullPath }) => fullPath === "group/none").at(-1)).toMatchObject({ environments: 0, done: true });
  expect(world.kas.watches.size).toBe(0);
});

test("S12: a viewer who may not use the agent receives no health; more than fifty projects are rejected", async () => {
  world.start();
  const [line] = (await linesOf([PROJECT], "_gitlab_session=session-outsider")).slice(-1);
  expect(line).toMatchObject({ environments: 1, known: 0, outside: 1 });
  const many = Array.from({ length: 51 }, (_, index) => `group/${index}`);
  await expect(linesOf(many)).rejects.toSatisfy((error) => ConnectError.from(error).code === Code.InvalidArgument);
});

test("S12, T52: the palette has resources that the server holds for this user, and asks no cluster for any", async () => {
  await look();
  const before = world.kas.requests.length;
  const held = await world.clientWith().listHeldResources({ projectPath: PROJECT });
  expect(held.resources.map(({ environment, ref }) => [environment, ref?.name])).toEqual([["production", "first"]]);
  expect(held.environments).toMatchObject([{ name: "production", status: expect.any(Number) }]);
  expect(held.unlistedTotal).toBe(0);
  const requests = world.kas.requests.slice(before).filter((line) => line.startsWith("maintainer") && !line.endsWith(OWN_ANSWER));
  expect(requests.filter((line) => /GET .*(pods|deployments|secrets)|POST/.test(line))).toEqual([]);
  const developer = await world.clientWith(DEVELOPER).listHeldResources({ projectPath: PROJECT });
  expect([developer.resources.length, developer.unlisted]).toEqual([0, ["production"]]);
  world.kas.allowed.delete("maintainer");
  const refused = await world.clientWith().listHeldResources({ projectPath: PROJECT });
  expect([refused.resources.length, refused.unlisted, refused.environments[0]?.status]).toEqual([0, ["production"], undefined]);
});

test("S2, T52: pods on a node in other environments are those that the server holds for this user; what it does not hold is not known", async () => {
  const pods = { apiVersion: "v1", kind: "Pod", spec: { nodeName: "bench-1" } };
  world.kas.put("pods", {
    ...pods,
    metadata: { name: "second" },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  });
  world.kas.put("pods", { ...pods, metadata: { name: "ended" }, status: { phase: "Failed", reason: "Evicted" } });
  world.main.environments.push(
    { id: 8, name: "canary", namespace: "canary", agentId: 3 },
    { id: 9, name: "elsewhere", namespace: "prod", agentId: 4 },
  );
  world.start();
  const request = { projectPath: PROJECT, environment: "canary", node: "bench-1" };
  const before = await world.clientWith().listNodePods(request);
  expect(before.environments.map(({ name, pods: count }) => [name, count])).toEqual([["production", undefined]]);
  await look(3);
  const requests = world.kas.requests.length;
  const { environments } = await world.clientWith().listNodePods(request);
  expect(environments).toMatchObject([{ name: "production", pods: 1, notHealthy: 0 }]);
  expect(environments[0]?.asOf).toBeDefined();
  expect((await world.clientWith().listNodePods({ ...request, node: "bench-2" })).environments).toMatchObject([
    { name: "production", pods: 0 },
  ]);
  expect(world.kas.requests.slice(requests).filter((line) => !line.endsWith(OWN_ANSWER))).toEqual([]);
  const developer = await world.clientWith(DEVELOPER).listNodePods(request);
  expect(developer.environments.map(({ pods: count }) => count)).toEqual([undefined]);
});
