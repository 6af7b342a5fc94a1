import { HealthStatus, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../testing/dashboard-world.ts";
import { SummarizingAgents } from "../testing/summarizing-agents.ts";

const AGENTS = 50;
const EACH = 40;

let world: DashboardWorld;
let agents: SummarizingAgents;
beforeEach(async () => {
  world = await DashboardWorld.open();
  agents = new SummarizingAgents(world, { agents: AGENTS, each: EACH });
  world.start(systemClock, { views: { ...world.config.views, of_agents: "prefer" } });
});
afterEach(() => world.close());

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
