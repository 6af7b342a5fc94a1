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
let sent: Notification[];
let stop: AbortController;
let running: Promise<void>[];

beforeEach(() => {
  ({ clock, agent, router, hub } = openViewsScene());
  [sent, stop, running] = [[], new AbortController(), []];
});
afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await Promise.all(running);
});

/** A kas that sends. */
function start(changes: Partial<ViewFactsOptions> = {}): void {
  const options = {
    hub,
    environments: [PRODUCTION],
    nodesOf: [],
    clock,
    lastSent: new LocalLastSent(),
    tell: (each: Notification) => void sent.push(each),
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

test("T38: a changed health of an environment is sent as a status and counts, and the initial one is not sent", async () => {
  start();
  await health(healthy);
  expect(sent).toEqual([]);
  await health(degraded);
  await health({ ...degraded, workloads: 4 });
  await health(healthy);
  expect(sent).toMatchObject([
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
  expect(JSON.stringify(sent)).not.toContain(CANARY);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
});

test("an unknown or stale health is no change", async () => {
  start();
  await health(healthy);
  await health({ gap: ViewGap.FAILED });
  await health({ ...degraded, staleSince: { seconds: 1n } });
  await health(healthy);
  expect(sent).toEqual([]);
});

test("a change during a restart of the agent is sent when the agent is back", async () => {
  start();
  await health(healthy);
  for (const breakOff of router.running) breakOff();
  agent.table("all").put("summary", toBinary(ScopeSummarySchema, create(ScopeSummarySchema, degraded)));
  await clock.elapse(60_000);
  expect(sent).toMatchObject([{ status: "degraded", before: "healthy" }]);
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
  expect(sent).toMatchObject([
    { type: "node_count_changed", agent_id: 1, nodes: 3, ready: 2, nodes_before: 3, ready_before: 3 },
    { nodes: 4, ready: 3, nodes_before: 3, ready_before: 2 },
  ]);
});

test("one of two kas sends a change", async () => {
  const shared = new LocalLastSent();
  start({ lastSent: shared });
  start({ lastSent: shared });
  await health(healthy);
  await health(degraded);
  expect(sent).toHaveLength(1);
});

test("a change while no kas was running is sent by the next one", async () => {
  const shared = new LocalLastSent();
  await shared.swap("health:1:production", "healthy");
  start({ lastSent: shared });
  await health(degraded);
  expect(sent).toMatchObject([{ status: "degraded", before: "healthy" }]);
});
