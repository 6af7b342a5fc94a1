import { createStatus } from "@binnacle/kube";
import { HealthStatus, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import { SummarizingAgents } from "../../testing/summarizing-agents.ts";

const AGENTS = 50;
const EACH = 40;

let world: DashboardWorld;
beforeEach(async () => {
  world = await DashboardWorld.open();
});
afterEach(() => world.close());

function start(): void {
  world.start(systemClock, { views: { ...world.config.views, of_agents: "prefer" } });
}

/** Follows the index. @returns its rows, by name */
function follow(): ReadonlyMap<string, EnvironmentRow> {
  const rows = new Map<string, EnvironmentRow>();
  const read = async (): Promise<void> => {
    const messages = world.clientWith().watchEnvironments({ projectPath: "group/app", visible: [] }, { signal: world.signal });
    for await (const message of messages) for (const row of message.rows) rows.set(row.environment?.name ?? "", row);
  };
  read().catch((error: unknown) => {
    if (!world.signal.aborted) throw error;
  });
  return rows;
}

test("2,000 environments of 50 agents cost the dashboard one answer an agent, and no list and no watch", async () => {
  const agents = new SummarizingAgents(world, { agents: AGENTS, each: EACH });
  start();
  const rows = follow();
  await until(() => rows.size === AGENTS * EACH && [...rows.values()].every(({ live }) => live));
  expect([...rows.values()].every(({ health, workloads }) => health?.status === HealthStatus.HEALTHY && workloads === 4)).toBe(true);
  expect([agents.answers.size, world.kas.watches.size]).toEqual([AGENTS, 0]);
  // Who the viewer is, what the agents tell, what GitOps does, and whether the cluster has rules of users: nothing of an environment.
  const others = world.kas.requests.filter((line) => !/\/(?:selfsubjectreviews|binnacle\/.*|argocd-cm|kustomizations|apis?)$/.test(line));
  expect(others).toEqual([]);

  const before = new Map(rows);
  agents.tell("ns-120-7", HealthStatus.DEGRADED);
  await until(() => rows.get("env-120-7")?.health?.status === HealthStatus.DEGRADED);
  expect([...rows].filter(([name, row]) => row.health?.status !== before.get(name)?.health?.status).map(([name]) => name)).toEqual([
    "env-120-7",
  ]);
});

/** kas and an agent that may not keep views of environments: it is queried by `ask`, and rejects with this. */
function refusePages(code: number, reason: string): { readonly requests: string[] } {
  const requests: string[] = [];
  world.kas.views = ({ view }, response) => {
    requests.push(view.case ?? "");
    response.setHeader("kas-refusal", reason);
    if (code === 429) response.setHeader("retry-after", "30");
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(createStatus(code, "no view")));
  };
  return { requests };
}

test.each([
  [501, "not_implemented"],
  // As a kas says it whose share is taken up by the index.
  [429, "share_exceeded"],
])(
  "pages of an agent that refuses its views (%i %s) are complete while its index of 1,000 still waits, and it receives one request for all of them",
  async (code, reason) => {
    const agents = new SummarizingAgents(world, { agents: 1, each: 1_000 });
    const { requests } = refusePages(code, reason);
    agents.isSilent = true;
    start();
    follow();
    await until(() => agents.requests.length > 0);
    const tabs = Array.from(
      { length: 12 },
      (_, at) => new DashboardTab(world.clientWith(), world.signal, { environment: `env-100-${at}` }),
    );
    await until(() => tabs.every((tab) => tab.isComplete()));
    // Nothing of the index was answered before: it is still on its way.
    expect([agents.requests, agents.answers.size]).toEqual([[200], 1]);
    expect(tabs.map(({ problem }) => problem)).toEqual(tabs.map(() => undefined));
    // Pages opened before the first rejection have sent requests too; later ones do not.
    const before = requests.length;
    expect(before).toBeLessThanOrEqual(tabs.length);
    const late = new DashboardTab(world.clientWith(), world.signal, { environment: "env-100-20" });
    await until(() => late.isComplete());
    expect(requests).toHaveLength(before);
  },
);
