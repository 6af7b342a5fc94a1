import { queryObjects } from "node:v8";

import { ClusterView } from "@binnacle/environment-view";
import { ManualClock, settle } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../../testing/dashboard-world.ts";

const USERS = ["maintainer", "ann"] as const;
const ROUNDS = 2;
const TABS = 8;
/** Longer than views stay for viewers who may come back. */
const LINGER_MS = 150_000;

let world: DashboardWorld;
let clock: ManualClock;
beforeEach(async () => {
  world = await DashboardWorld.open(USERS);
  clock = new ManualClock();
  for (const name of ["one", "two"]) world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name } });
  world.start(clock);
});
afterEach(() => world.close());

/** Views on the heap after a collection; whatever retains a shared view, a scope or a request of one retains its view. */
function retainedViews(): number {
  return queryObjects(ClusterView, { format: "count" });
}

/** Many viewers of two identities open the environment, and all of them leave. */
async function load(): Promise<void> {
  const leave = new AbortController();
  const tabs = Array.from({ length: TABS }, (_, index) =>
    world.anotherTab(leave.signal, `_gitlab_session=session-${USERS[index % USERS.length]}`),
  );
  await clock.advanceUntil(() => tabs.every((tab) => tab.isComplete() && tab.nodes.size === 2));
  leave.abort();
  while ((await world.now()).viewers > 0) await settle();
}

test("A7: two minutes after the last viewer nothing is retained: no view, no request to kas, no timer", async () => {
  const timers = clock.pending;
  for (let round = 0; round < ROUNDS; round += 1) await load();
  expect(retainedViews()).toBe(USERS.length);
  clock.advance(LINGER_MS);
  await clock.advanceUntil(() => world.kas.watches.size === 0);
  while ((await world.now()).views > 0) await settle();
  await settle();
  expect(retainedViews()).toBe(0);
  clock.advance(LINGER_MS);
  expect(clock.pending).toBe(timers);
});
