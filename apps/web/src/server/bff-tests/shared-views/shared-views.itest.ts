import { ManualClock, settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../../testing/dashboard-world.ts";
import type { StandInKas } from "../../kas/testing/stand-in-kas.ts";

const LISTS = /^maintainer GET .*\/(pods|secrets|events|deployments)$/;
const leave = new AbortController();

let world: DashboardWorld;
let kas: StandInKas;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  world = await DashboardWorld.open();
  ({ kas } = world);
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
});
afterEach(() => world.close());

/** Everything that was read of the cluster. */
const readings = (): string[] => kas.requests.filter((line) => LISTS.test(line));

/** Time passes in small steps until every tab was proved once more. */
async function provedAgain(times: number): Promise<void> {
  const proofs = kas.proofs.length + times;
  await clock.advanceUntil(() => kas.proofs.length >= proofs);
}

async function metric(name: string): Promise<number | undefined> {
  return (await world.registry.getSingleMetric(name)?.get())?.values[0]?.value;
}

async function noViewers(): Promise<void> {
  while ((await metric("web_viewers")) !== 0) await settle();
}

test("W7: a renewed token changes no identity: nothing is read again, no page is emptied", async () => {
  kas.extra = { "authentication.kubernetes.io/credential-id": ["JTI=one"], "authentication.kubernetes.io/pod-name": ["agentk-1"] };
  const tabs = [world.tab({}, clock), world.anotherTab(leave.signal)];
  for (const tab of tabs) await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  await until(() => kas.watches.size === 4);
  const [before, watches] = [readings().length, [...kas.watches]];
  kas.extra = { "authentication.kubernetes.io/credential-id": ["JTI=two"], "authentication.kubernetes.io/pod-name": ["agentk-2"] };
  await provedAgain(4);
  expect([...kas.watches]).toEqual(watches);
  expect(readings()).toHaveLength(before);
  for (const tab of tabs) {
    expect(tab.nodes.size).toBe(1);
    expect(tab.messages.filter(({ message }) => message.case === "snapshot")).toHaveLength(1);
  }
  expect(await metric("web_cluster_views")).toBe(1);
  expect([await metric("web_environment_scopes"), await metric("web_viewers"), await metric("web_watches")]).toEqual([1, 2, 4]);
});

test("W7: other extras are another identity: their subscribers join another view, and the old one has none", async () => {
  kas.extra = { "example.com/session": ["one"] };
  const tab = world.tab({}, clock);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  await until(() => kas.watches.size === 4);
  const old = [...kas.watches];
  kas.extra = { "example.com/session": ["two"] };
  await clock.advanceUntil(() => tab.messages.filter(({ message }) => message.case === "snapshot").length > 1);
  await clock.advanceUntil(() => tab.nodes.size === 1 && kas.watches.size === 4 && !old.some((watch) => kas.watches.has(watch)));
  expect(tab.problem).toBeUndefined();
  // Nothing is read for the one he was, and it ends two minutes later.
  expect(await metric("web_cluster_views")).toBe(2);
  await clock.advanceUntil(() => kas.proofs.length > 8, 1_000);
  expect(await metric("web_cluster_views")).toBe(1);
});

test("W7: a tab whose identity has changed takes no watch from the tab beside it", async () => {
  const stay = new AbortController();
  const first = world.tab({}, clock);
  await clock.advanceUntil(() => first.isComplete());
  await until(() => kas.watches.size === 4);
  // The second one is proved fifteen seconds after the first.
  for (let step = 0; step < 1_500; step += 1) clock.advance(10);
  const second = world.anotherTab(stay.signal);
  await clock.advanceUntil(() => second.isComplete(), 1);
  const old = [...kas.watches];
  kas.groups = ["gitlab:user", "promoted"];
  const snapshots = (): number => first.messages.filter(({ message }) => message.case === "snapshot").length;
  await clock.advanceUntil(() => snapshots() > 1, 1);
  expect(second.messages.filter(({ message }) => message.case === "snapshot")).toHaveLength(1);
  expect(old.every((watch) => kas.watches.has(watch))).toBe(true);
  await clock.advanceUntil(() => !old.some((watch) => kas.watches.has(watch)));
  expect([first.problem, second.problem]).toEqual([undefined, undefined]);
});

test("W14: all viewers of an agent share the watches that kas says it carries", async () => {
  kas.watchLimit = 3;
  const tab = world.tab({}, clock);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  await clock.advanceUntil(() => kas.watches.size === 3);
  expect(await metric("web_watch_budget_used_ratio")).toBe(1);
  kas.watchLimit = 1;
  await clock.advanceUntil(() => kas.watches.size === 1);
  expect([...kas.watches].map(({ resource }) => resource)).toEqual(["pods"]);
});

test("W1: an environment that was left is there for two minutes, and then lets go of everything", async () => {
  const leaving = new AbortController();
  world.tab({}, clock, leaving.signal);
  const tab = world.anotherTab(leaving.signal);
  await clock.advanceUntil(() => tab.isComplete());
  await until(() => kas.watches.size === 4);
  const [before, watches] = [readings().length, [...kas.watches]];
  leaving.abort();
  await tab.ended;
  await noViewers();
  clock.advance(119_000);
  const back = new AbortController();
  const again = world.anotherTab(back.signal);
  await clock.advanceUntil(() => again.isComplete(), 1);
  expect(again.messages.find(({ message }) => message.case === "snapshot")?.message.value).toMatchObject({ complete: true });
  expect([...kas.watches]).toEqual(watches);
  // This kas sends no bookmarks: one look at each kind whose watch was silent for 90 s (ADR 28).
  expect(readings().length - before).toBeLessThanOrEqual(watches.length);
  back.abort();
  await noViewers();
  await clock.advanceUntil(() => kas.watches.size === 0, 1_000);
  expect(await metric("web_cluster_views")).toBe(0);
});
