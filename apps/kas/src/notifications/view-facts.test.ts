import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HealthStatus } from "@binnacle/proto/dashboard";
import { NodeSummarySchema, ScopeSummarySchema, ViewGap } from "@binnacle/proto/kas-views";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openViewsScene, type ViewsScene } from "../views/testing/views-scene.ts";
import { LocalLastSent } from "./last-sent.ts";
import type { Notification } from "./notification.ts";
import { viewFacts, type ViewFactsOptions } from "./view-facts.ts";

const CANARY = "canary-of-the-cluster";
const PRODUCTION = { name: "production", agentId: 1n, namespaces: ["shop"] };

let clock: ViewsScene["clock"];
let agent: ViewsScene["agent"];
let router: ViewsScene["router"];
let hub: ViewsScene["hub"];
let told: Notification[];
let stop: AbortController;
let running: Promise<void>[];

beforeEach(() => {
  ({ clock, agent, router, hub } = openViewsScene());
  [told, stop, running] = [[], new AbortController(), []];
});
afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await Promise.all(running);
});

/** A kas that tells. */
function start(changes: Partial<ViewFactsOptions> = {}): void {
  const options = {
    hub,
    environments: [PRODUCTION],
    nodesOf: [],
    clock,
    told: new LocalLastSent(),
    tell: (each: Notification) => void told.push(each),
    ...changes,
  };
  const ran = viewFacts(options).run?.(stop.signal);
  if (ran) running.push(ran);
}

async function health(summary: MessageInitShape<typeof ScopeSummarySchema>): Promise<void> {
  agent.table("all").put("summary", toBinary(ScopeSummarySchema, create(ScopeSummarySchema, summary)));
  agent.table("all").announce();
  await clock.elapse(1_000);
}

const degraded = {
  health: { status: HealthStatus.DEGRADED, issuesTotal: 2, reason: CANARY, hidden: [CANARY] },
  workloads: 3,
  workloadsReady: 2,
};
const healthy = { health: { status: HealthStatus.HEALTHY }, workloads: 3, workloadsReady: 3 };

test("T38: an environment whose health is another is told in words and counts, and of what holds at first nobody is", async () => {
  start();
  await health(healthy);
  expect(told).toEqual([]);
  await health(degraded);
  await health({ ...degraded, workloads: 4 });
  await health(healthy);
  expect(told).toMatchObject([
    {
      version: 1,
      type: "environment_health_changed",
      agent_id: 1,
      environment: "production",
      status: "degraded",
      before: "healthy",
      issues: 2,
      workloads: 3,
      workloads_ready: 2,
    },
    { status: "healthy", before: "degraded", issues: 0 },
  ]);
  expect(JSON.stringify(told)).not.toContain(CANARY);
  expect(new Set(told.map(({ id }) => id)).size).toBe(2);
});

test("what nobody knows, or vouches for, is no change", async () => {
  start();
  await health(healthy);
  await health({ gap: ViewGap.FAILED });
  await health({ ...degraded, staleSince: { seconds: 1n } });
  await health(healthy);
  expect(told).toEqual([]);
});

test("an agent that restarts, and one that comes late, are followed on: the change in between is told", async () => {
  start();
  await health(healthy);
  for (const breakOff of router.running) breakOff();
  agent.table("all").put("summary", toBinary(ScopeSummarySchema, create(ScopeSummarySchema, degraded)));
  await clock.elapse(60_000);
  expect(told).toMatchObject([{ status: "degraded", before: "healthy" }]);
});

test("nodes that come and go are counted", async () => {
  start({ environments: [], nodesOf: [1n] });
  for (const [count, ready] of [
    [3, 3],
    [3, 2],
    [4, 3],
  ] as const) {
    agent.table("all").put("summary", toBinary(NodeSummarySchema, create(NodeSummarySchema, { count, ready })));
    agent.table("all").announce();
    await clock.elapse(1_000);
  }
  expect(told).toMatchObject([
    { type: "node_count_changed", agent_id: 1, nodes: 3, ready: 2, nodes_before: 3, ready_before: 3 },
    { nodes: 4, ready: 3, nodes_before: 3, ready_before: 2 },
  ]);
});

test("of two kas one tells", async () => {
  const shared = new LocalLastSent();
  start({ told: shared });
  start({ told: shared });
  await health(healthy);
  await health(degraded);
  expect(told).toHaveLength(1);
});

test("a change while no kas was there is told by the next one", async () => {
  const shared = new LocalLastSent();
  await shared.swap("health:1:production", "healthy");
  start({ told: shared });
  await health(degraded);
  expect(told).toMatchObject([{ status: "degraded", before: "healthy" }]);
});
