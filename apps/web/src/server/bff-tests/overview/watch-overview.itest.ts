import { ConnectionState, HealthStatus, ProblemKind, type EnvironmentRow, type Problem } from "@binnacle/proto/dashboard";
import type { OverviewTotals } from "@binnacle/proto/dashboard-overview";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { isForbidden } from "@binnacle/presentation/environments/row-order";
import { overviewClient } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import { SummarizingAgents } from "../../testing/summarizing-agents.ts";

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "ann"]);
});
afterEach(() => world.close());

function start(): void {
  const main = { ...world.config.main_application, poll_period: 300 };
  world.start(systemClock, { views: { ...world.config.views, of_agents: "prefer" }, main_application: main });
}

function summarizing(options: { readonly agents: number; readonly each: number; readonly projects: number }): SummarizingAgents {
  return new SummarizingAgents(world, options);
}

/** An overview as a browser follows it. */
class Page {
  readonly rows = new Map<string, EnvironmentRow>();
  totals: OverviewTotals | undefined;
  problem: Problem | undefined;
  groups: readonly string[] = [];
  /** The largest message, in rows. */
  most = 0;
  readonly stop = new AbortController();

  constructor(group = "", user = "maintainer") {
    const signal = AbortSignal.any([world.signal, this.stop.signal]);
    void this.#read(group, user, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  get live(): number {
    return [...this.rows.values()].filter(({ live }) => live).length;
  }

  async #read(group: string, user: string, signal: AbortSignal): Promise<void> {
    const client = overviewClient(world.bff, { origin: ORIGIN, cookie: `_gitlab_session=session-${user}` });
    for await (const message of client.watchOverview({ group }, { signal })) {
      for (const id of message.removed) this.rows.delete(id);
      for (const { id, row } of message.rows) if (row) this.rows.set(id, row);
      this.most = Math.max(this.most, message.rows.length);
      this.totals = message.totals ?? this.totals;
      this.problem = message.problem;
      if (message.groups.length > 0) this.groups = message.groups.map(({ fullPath }) => fullPath);
    }
  }
}

test("200 environments of 10 agents in 40 projects: one request for all environments of an agent, their versions and images, and no watch", async () => {
  const agents = summarizing({ agents: 10, each: 20, projects: 40 });
  start();
  const page = new Page();
  await until(() => page.live === 200 && page.totals?.deployments === true);
  expect(page.totals).toMatchObject({
    projects: 40,
    projectsRead: 40,
    projectsFailed: 0,
    environments: 200,
    complete: true,
    moreProjects: false,
  });
  expect(page.groups).toHaveLength(20);
  await until(() => [...page.rows.values()].every(({ environment }) => environment?.delivery?.lastDeployment?.value?.sha.length === 40));
  const [row] = page.rows.values();
  expect(row?.images).toMatchObject([{ image: "registry.example.com/team/web:1.4.2", workloads: 3 }]);
  expect(new Set([...page.rows.values()].map(({ environment }) => environment?.projectPath)).size).toBe(40);
  expect([world.kas.watches.size, page.most <= 200, world.main.groups.running.most <= 5]).toEqual([0, true, true]);
  // Environments join in at most four steps while projects are read.
  expect(agents.requests.length).toBeLessThanOrEqual(40);

  agents.tell("ns-104-7", HealthStatus.DEGRADED);
  await until(() => [...page.rows.values()].some(({ health }) => health?.status === HealthStatus.DEGRADED));
});

test("a group has the projects of its subgroups and no others, and one that does not exist is not found", async () => {
  summarizing({ agents: 2, each: 20, projects: 40 });
  start();
  const page = new Page("group-3");
  await until(() => page.totals?.deployments === true);
  expect(new Set([...page.rows.values()].map(({ environment }) => environment?.projectPath))).toEqual(
    new Set(["group-3/project-3", "group-3/project-23"]),
  );
  const nothing = new Page("group-99");
  await until(() => nothing.problem !== undefined);
  expect([nothing.problem?.kind, nothing.rows.size]).toEqual([ProblemKind.NOT_FOUND, 0]);
});

test("T76: one agent is slow, one is not connected, one lies: the rows of the others are live, and nothing is made up for theirs", async () => {
  const agents = summarizing({ agents: 5, each: 4, projects: 10 });
  agents.slow.add(100);
  agents.lying.add(101);
  world.kas.offlineAgents.add("102");
  start();
  const page = new Page();
  const rowsOf = (agent: number): EnvironmentRow[] =>
    [...page.rows.values()].filter(({ environment }) => environment?.agentName === `cluster-${agent}`);
  await until(() => page.live === 8 && page.totals?.complete === true);
  expect(page.rows.size).toBe(20);
  // What the agents do not tell is read as the viewer, with its age; the cluster of these tests is empty.
  const isSampled = (row: EnvironmentRow): boolean => !row.live && row.every !== undefined && row.asOf !== undefined && row.workloads === 0;
  await until(() => [...rowsOf(100), ...rowsOf(101)].every(isSampled));
  await until(() => rowsOf(102).every(({ connection }) => connection?.state === ConnectionState.AGENT_OFFLINE));
  expect(rowsOf(102).map(({ health, live, images }) => [health, live, images])).toEqual(
    Array.from({ length: 4 }, () => [undefined, false, []]),
  );
  expect([page.live, [...rowsOf(100), ...rowsOf(101)].flatMap(({ images }) => images)]).toEqual([8, []]);
});

test("T76: rights that are withdrawn while an overview is open take the environments away, of a project and of an agent", async () => {
  summarizing({ agents: 2, each: 10, projects: 5 });
  start();
  const [page, other] = [new Page(), new Page("", "ann")];
  await until(() => page.live === 20 && other.live === 20);
  world.main.groups.withheld.add("maintainer group-1/project-1");
  await until(() => page.rows.size === 16);
  expect([...page.rows.values()].filter(({ environment }) => environment?.projectPath === "group-1/project-1")).toEqual([]);
  expect([page.totals?.projects, page.totals?.environments, other.rows.size]).toEqual([4, 16, 20]);
});

test("T76: an overview of a viewer whom an agent rejects has locked rows, and no number of another viewer", async () => {
  summarizing({ agents: 2, each: 10, projects: 5 });
  world.kas.denied.add("ann 101");
  start();
  const [page, other] = [new Page(), new Page("", "ann")];
  await until(() => page.live === 20 && other.live === 10);
  await until(() => [...other.rows.values()].filter(isForbidden).length === 10);
  expect([...other.rows.values()].filter((row) => isForbidden(row) && (row.health !== undefined || row.images.length > 0))).toEqual([]);
});

test("a project that cannot be read keeps what it had, and is counted as such", async () => {
  summarizing({ agents: 1, each: 10, projects: 5 });
  world.main.groups.broken.add("group-2/project-2");
  start();
  const page = new Page();
  await until(() => page.totals?.complete === true && page.live === 8);
  expect(page.totals).toMatchObject({ projects: 5, projectsRead: 4, projectsFailed: 1, environments: 8 });
  world.main.groups.broken.clear();
  await until(() => page.live === 10 && page.totals?.projectsFailed === 0);
  world.main.groups.broken.add("group-2/project-2");
  await until(() => page.totals?.projectsFailed === 1);
  expect(page.rows.size).toBe(10);
});

test("a viewer without a session gets the way to the sign-in", async () => {
  start();
  const page = new Page("", "nobody");
  await until(() => page.problem !== undefined);
  expect(page.problem?.kind).toBe(ProblemKind.UNAUTHENTICATED);
});

const [BASE, HEAD] = ["a".repeat(40), "b".repeat(40)];

test("T77: how far versions are apart is known only to who may read the repository, also when another viewer has read it before", async () => {
  summarizing({ agents: 1, each: 10, projects: 5 });
  start();
  const range = `group-1/project-1 ${BASE}..${HEAD}`;
  world.main.groups.ranges.set(range, 3).set(`group-1/project-1 ${HEAD}..${BASE}`, 0);
  world.main.commitReaders.add("maintainer");
  const ask = async (user: string): Promise<unknown> => {
    const client = overviewClient(world.bff, { origin: ORIGIN, cookie: `_gitlab_session=session-${user}` });
    const pair = { projectPath: "group-1/project-1", base: BASE, head: HEAD };
    const { distances } = await client.compareVersions({ pairs: [pair, pair] });
    return distances.map(({ known, ahead, behind }) => [known, ahead, behind]);
  };
  expect(await ask("maintainer")).toEqual([1, 2].map(() => [true, 3, 0]));
  expect(await ask("maintainer")).toEqual([1, 2].map(() => [true, 3, 0]));
  expect(world.main.groups.rangesRead.filter((each) => each === range)).toHaveLength(1);
  expect(await ask("ann")).toEqual([1, 2].map(() => [false, 0, 0]));
  world.main.commitReaders.add("ann");
  expect(await ask("ann")).toEqual([1, 2].map(() => [true, 3, 0]));
});
