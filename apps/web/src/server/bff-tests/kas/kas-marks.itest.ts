import { ProblemKind, SettledState, StaleCause, type Source } from "@binnacle/proto/dashboard";
import { ManualClock, until } from "@binnacle/testing";
import { messageText } from "../../../ui/messages.ts";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import type { StandInKas } from "../../kas/testing/stand-in-kas.ts";

const REVIEW = "maintainer POST /apis/authentication.k8s.io/v1/selfsubjectreviews";

let world: DashboardWorld;
let kas: StandInKas;
beforeEach(async () => {
  world = await DashboardWorld.open();
  ({ kas } = world);
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
});
afterEach(() => world.close());

/** The newest word about each kind. */
function sourcesOf({ messages }: DashboardTab): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const { message } of messages) {
    const received = message.case === "snapshot" ? message.value.sources : message.case === "delta" ? message.value.upsertedSources : [];
    for (const source of received) sources.set(source.resource, source);
  }
  return sources;
}

test("KS4, XS10, T23: a viewer is proved every 30 s by a question that kas does not answer from memory", async () => {
  const clock = new ManualClock();
  const tab = world.tab({}, clock);
  await until(() => kas.proofs.length === 1);
  await until(() => kas.watches.size === 4);
  for (const count of [2, 3]) {
    const startedMs = clock.now();
    // In small steps, for the pause begins when the last answer has been read.
    await clock.advanceUntil(() => kas.proofs.length === count);
    expect(clock.now() - startedMs).toBeGreaterThan(29_000);
    expect(clock.now() - startedMs).toBeLessThan(35_000);
  }
  expect(new Set(kas.proofs)).toEqual(new Set([REVIEW]));
  // Nothing else asks kas to look again: it would cost the main application a question each.
  expect(kas.requests.filter((line) => line === REVIEW)).toHaveLength(3);
  kas.allowed.clear();
  await clock.advanceUntil(() => tab.problem !== undefined);
  await tab.ended;
  expect(tab.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
});

test("I4: kinds for which the agent carries no watch are listed and shown with their age", async () => {
  kas.watchLimit = 1;
  const tab = world.tab();
  await tab.until((now) => now.isComplete() && now.nodes.size === 1);
  const [watched, ...sampled] = [...sourcesOf(tab).values()].toSorted((a, b) => a.staleCause - b.staleCause);
  expect(kas.watches.size).toBe(1);
  expect(watched).toMatchObject({ settled: SettledState.LIVE, staleCause: StaleCause.UNSPECIFIED });
  expect(sampled.length).toBeGreaterThan(2);
  for (const source of sampled) {
    expect(source.staleCause).toBe(StaleCause.SAMPLED);
    expect(messageText(source.staleWords)).toContain(`listed every ${source.every?.seconds} s`);
  }
});

test("I4: a watch for which another client took the place is replaced by a list", async () => {
  const tab = world.tab();
  await tab.until((now) => now.isComplete() && now.nodes.size === 1);
  await until(() => kas.watches.size === 4);
  // Other clients have taken the free watches, before kas has reported it.
  kas.watchLimit = 0;
  kas.cut();
  await tab.until((now) => [...sourcesOf(now).values()].every(({ staleWords }) => staleWords?.id === "source/watch-budget"));
  expect(tab.nodes.size).toBe(1);
  expect(kas.watches.size).toBe(0);
});

test.each(["", "nonsense", "-1;free=-1", "1e3;free=1", "99999999999999;free=1"])("I4: a budget of %j is none", async (header) => {
  kas.watchLimit = undefined;
  kas.headers["kas-agent-watch-budget"] = header;
  const tab = world.tab();
  await tab.until((now) => now.isComplete() && now.nodes.size === 1);
  await until(() => kas.watches.size === 4);
  expect([...sourcesOf(tab).values()].map(({ words }) => messageText(words)).join("")).toBe("");
});
