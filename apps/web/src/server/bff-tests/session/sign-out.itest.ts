import { ManualClock, settle } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { DashboardTab } from "../../testing/dashboard-tab.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import type { StandInKas } from "../../kas/testing/stand-in-kas.ts";

/** Rounds without a request, after which none is on its way any more. */
const CALM = 20;

let world: DashboardWorld;
let kas: StandInKas;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  world = await DashboardWorld.open(["ann", "bob"]);
  ({ kas } = world);
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
  world.start(clock);
});
afterEach(() => world.close());

async function signOut(cookie: string): Promise<void> {
  const headers = { origin: ORIGIN, "sec-fetch-site": "same-origin", cookie };
  const answer = await world.bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "DELETE", headers }));
  expect(answer.status).toBe(204);
}

async function open(cookie: string, signal: AbortSignal = world.signal): Promise<DashboardTab> {
  const tab = world.anotherTab(signal, cookie);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  return tab;
}

/** Three minutes pass, in which a view would prove its connection and list what it has no watch for. */
async function threeMinutes(): Promise<void> {
  for (let second = 0; second < 180; second += 1) {
    clock.advance(1_000);
    await settle();
  }
}

/** How many requests of Ann there were, once those that belong to her opening have all come: her watches are not the last of them. */
async function allRequestsOfAnn(): Promise<number> {
  for (let calm = 0, before = 0; calm < CALM;) {
    await settle();
    calm = requestsOf("ann").length === before ? calm + 1 : 0;
    before = requestsOf("ann").length;
  }
  return requestsOf("ann").length;
}

const requestsOf = (user: string): string[] => kas.requests.filter((line) => line.startsWith(`${user} `));

test("T23: after a sign-out nothing more goes to the cluster with that credential, also when two tabs were open", async () => {
  const cookie = await world.tokenCookie("ann");
  const tabs = [await open(cookie), await open(cookie)];
  await clock.advanceUntil(() => kas.watchesOf("ann").length === 4);
  const before = await allRequestsOfAnn();
  await signOut(cookie);
  await Promise.allSettled(tabs.map(({ ended }) => ended));
  await threeMinutes();
  expect(requestsOf("ann").slice(before)).toEqual([]);
  expect(kas.watchesOf("ann")).toEqual([]);
});

test("T23: a view that lives on after its last page was closed ends its requests with the sign-out", async () => {
  const cookie = await world.tokenCookie("ann");
  const leaving = new AbortController();
  const tab = await open(cookie, leaving.signal);
  await clock.advanceUntil(() => kas.watchesOf("ann").length === 4);
  leaving.abort();
  await tab.ended;
  while ((await world.now()).viewers > 0) await settle();
  expect(kas.watchesOf("ann")).toHaveLength(4);
  const before = await allRequestsOfAnn();
  await signOut(cookie);
  await threeMinutes();
  expect(requestsOf("ann").slice(before)).toEqual([]);
  expect(kas.watchesOf("ann")).toEqual([]);
});

test("T23: another viewer of the shared view goes on, with his own credential", async () => {
  kas.everybody = "system:serviceaccount:agent";
  const ann = await world.tokenCookie("ann");
  const bob = await world.tokenCookie("bob");
  const left = await open(ann);
  const stays = await open(bob);
  await clock.advanceUntil(() => kas.watchesOf("ann").length === 4);
  const before = await allRequestsOfAnn();
  await signOut(ann);
  await Promise.allSettled([left.ended]);
  await clock.advanceUntil(() => kas.watchesOf("bob").length === 4);
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "second" } });
  await clock.advanceUntil(() => stays.nodes.size === 2);
  expect(requestsOf("ann").slice(before)).toEqual([]);
  expect(stays.problem).toBeUndefined();
});

test("T23: another session with the same token goes on", async () => {
  const [one, other] = [await world.tokenCookie("ann"), await world.tokenCookie("ann")];
  const left = await open(one);
  const stays = await open(other);
  await signOut(one);
  await Promise.allSettled([left.ended]);
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "second" } });
  await clock.advanceUntil(() => stays.nodes.size === 2);
  expect(stays.problem).toBeUndefined();
});

test("T23: the samples of an index end with the sign-out", async () => {
  const cookie = await world.tokenCookie("ann");
  const rows: string[] = [];
  const index = (async () => {
    for await (const message of world.clientWith(cookie).watchEnvironments({ projectPath: "group/app" }, { signal: world.signal }))
      for (const row of message.rows) if (row.health) rows.push(row.environment?.name ?? "");
  })().catch(() => undefined);
  await clock.advanceUntil(() => rows.length > 0);
  const before = await allRequestsOfAnn();
  await signOut(cookie);
  await index;
  await threeMinutes();
  expect(requestsOf("ann").slice(before)).toEqual([]);
});
