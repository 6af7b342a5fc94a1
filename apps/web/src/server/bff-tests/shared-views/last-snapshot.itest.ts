import { ConnectionState, ProblemKind, StaleCause, type Snapshot, type WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { ManualClock, settle } from "@binnacle/testing";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import type { StandInKas } from "../../kas/testing/stand-in-kas.ts";

const HOUR = 60 * 60_000;
const DEVELOPER = "_gitlab_session=session-developer";

let world: DashboardWorld;
let kas: StandInKas;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  world = await DashboardWorld.open(["maintainer", "developer"]);
  ({ kas } = world);
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
});
afterEach(() => world.close());

/** The maintainer opens the page, sees all of it, and closes it. @returns when it was whole */
async function look(): Promise<number> {
  const leaving = new AbortController();
  const tab = world.tab({}, clock, leaving.signal);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  const atMs = clock.now();
  await leave(leaving, tab);
  return atMs;
}

async function leave(leaving: AbortController, tab: DashboardTab): Promise<void> {
  leaving.abort();
  await tab.ended;
  while ((await world.now()).viewers > 0) await settle();
}

/** All that lives on after the last page lets go. */
async function forgetViews(): Promise<void> {
  while ((await world.now()).views > 0) {
    clock.advance(1_000);
    await settle();
  }
}

function lastPictureOf(tab: DashboardTab): Snapshot | undefined {
  const all = tab.messages.flatMap(({ message }) => (message.case === "snapshot" && message.value.asOf ? [message.value] : []));
  return all.at(-1);
}

function isOffline({ message }: WatchEnvironmentResponse): boolean {
  return (message.case === "connection" || message.case === "snapshot") && connectionOf(message.value) === ConnectionState.AGENT_OFFLINE;
}

function connectionOf(value: { readonly state?: ConnectionState; readonly connection?: { readonly state: ConnectionState } | undefined }) {
  return value.state ?? value.connection?.state;
}

/** A page opened now, after kas has reported that the agent is unavailable. */
async function openOffline(cookie?: string): Promise<DashboardTab> {
  const tab = world.anotherTab(world.signal, cookie);
  await clock.advanceUntil(() => tab.messages.some(isOffline));
  return tab;
}

test("US5: a page opened while the agent is away shows what the same user saw last, of that time, and nothing of it as current", async () => {
  const seenMs = await look();
  await forgetViews();
  kas.offline = true;
  clock.advance(2 * HOUR);
  const tab = await openOffline();
  expect([...tab.nodes.values()].map(({ ref }) => ref?.name)).toEqual(["first"]);
  const picture = lastPictureOf(tab);
  const asOfMs = picture?.asOf === undefined ? 0 : timestampMs(picture.asOf);
  expect(asOfMs).toBeGreaterThanOrEqual(seenMs);
  expect(asOfMs).toBeLessThan(seenMs + 130_000);
  expect(picture?.complete).toBe(true);
  expect(picture?.sources.length).toBeGreaterThan(0);
  for (const source of picture?.sources ?? []) {
    expect(source.staleCause).toBe(StaleCause.WAY);
    expect(source.staleSince === undefined ? 0 : timestampMs(source.staleSince)).toBeLessThanOrEqual(asOfMs);
  }
  // There was no viewer when it went: the time is not known.
  expect(picture?.connection?.state).toBe(ConnectionState.AGENT_OFFLINE);
  expect(picture?.connection?.since).toBeUndefined();
  // It can be taken up from nowhere, and it says whose it is.
  expect(tab.position).toBeUndefined();
  const header = tab.messages.findLast(({ message }) => message.case === "header")?.message.value;
  expect(header).toMatchObject({ viewer: { username: "maintainer", clusterUsername: "gitlab:user:maintainer" } });
});

test("US5: an agent that disconnected while a page was open is offline since then, also for later viewers", async () => {
  const leaving = new AbortController();
  const tab = world.tab({}, clock, leaving.signal);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  const beforeMs = clock.now();
  kas.offline = true;
  kas.cut();
  await clock.advanceUntil(() =>
    tab.messages.some(({ message }) => message.case === "delta" && message.value.connection?.state === ConnectionState.AGENT_OFFLINE),
  );
  const afterMs = clock.now();
  // Beside the page that is still open, whose view cannot be joined: the identity of the viewer is not known.
  const beside = await openOffline();
  const picture = lastPictureOf(beside);
  expect(beside.nodes.size).toBe(1);
  const sinceMs = picture?.connection?.since === undefined ? 0 : timestampMs(picture.connection.since);
  expect(sinceMs).toBeGreaterThan(beforeMs - 11_000);
  expect(sinceMs).toBeLessThanOrEqual(afterMs);
  await leave(leaving, tab);
});

test("US5, T23: the last snapshot is shown only to viewers whose own last identity was that one", async () => {
  await look();
  await forgetViews();
  kas.offline = true;
  const other = await openOffline(DEVELOPER);
  expect(other.nodes.size).toBe(0);
  expect(lastPictureOf(other)).toBeUndefined();
});

test("US5, T23: two users who are one identity to the cluster see the picture only once each of them was proved", async () => {
  kas.everybody = "system:serviceaccount:agent";
  await look();
  await forgetViews();
  kas.offline = true;
  expect((await openOffline(DEVELOPER)).nodes.size).toBe(0);
  kas.offline = false;
  const leaving = new AbortController();
  const proved = world.anotherTab(leaving.signal, DEVELOPER);
  await clock.advanceUntil(() => proved.isComplete());
  leaving.abort();
  await proved.ended;
  kas.offline = true;
  expect((await openOffline(DEVELOPER)).nodes.size).toBe(1);
});

test("US5, T23: a rejected viewer sees nothing, also when he is authorized again while the agent is still offline", async () => {
  await look();
  await forgetViews();
  kas.offline = true;
  kas.allowed.delete("maintainer");
  const refused = world.anotherTab(world.signal);
  await clock.advanceUntil(() => refused.problem !== undefined);
  expect(refused.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
  expect(refused.nodes.size).toBe(0);
  kas.allowed.add("maintainer");
  expect((await openOffline()).nodes.size).toBe(0);
});

test("US5, T23: a viewer who loses the right while a last snapshot is on the page gets the problem", async () => {
  await look();
  await forgetViews();
  kas.offline = true;
  const tab = await openOffline();
  expect(tab.nodes.size).toBe(1);
  kas.allowed.delete("maintainer");
  await clock.advanceUntil(() => tab.problem !== undefined);
  expect(tab.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
});

test("US5, T23: a viewer whose identity has changed never sees the earlier snapshot", async () => {
  const leaving = new AbortController();
  const tab = world.tab({}, clock, leaving.signal);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  kas.groups = ["gitlab:user", "demoted"];
  // The agent answers one proof, and is gone before anything else is known of the one he is now.
  const proofs = kas.proofs.length;
  kas.proofs.push = (...lines) => {
    queueMicrotask(() => (kas.offline = true));
    return Array.prototype.push.apply(kas.proofs, lines);
  };
  await clock.advanceUntil(() => kas.proofs.length > proofs);
  await clock.advanceUntil(() => tab.messages.some(isOffline));
  await leave(leaving, tab);
  await forgetViews();
  expect((await openOffline()).nodes.size).toBe(0);
});

test("US5: a picture is kept for a day", async () => {
  await look();
  await forgetViews();
  kas.offline = true;
  clock.advance(23 * HOUR);
  expect((await openOffline()).nodes.size).toBe(1);
  clock.advance(HOUR + 60_000);
  expect((await openOffline()).nodes.size).toBe(0);
});

test("US5: while kas does not answer no viewer is authorized: no snapshot is shown", async () => {
  await look();
  await forgetViews();
  await kas.close();
  const tab = world.anotherTab(world.signal);
  const away = ConnectionState.KAS_UNREACHABLE;
  await clock.advanceUntil(() => tab.messages.some(({ message }) => message.case === "connection" && message.value.state === away));
  expect(tab.nodes.size).toBe(0);
});

test("US5: when the agent is back the page becomes live, with what is there now", async () => {
  await look();
  await forgetViews();
  kas.offline = true;
  const tab = await openOffline();
  expect([...tab.nodes.values()].map(({ ref }) => ref?.name)).toEqual(["first"]);
  kas.objects.clear();
  kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "second" } });
  kas.offline = false;
  await clock.advanceUntil(() => tab.position !== undefined && tab.isComplete() && tab.nodes.size === 1);
  await clock.advanceUntil(() => [...tab.nodes.values()].every(({ ref }) => ref?.name === "second"));
});

test("US5: who comes back with something newer is not sent what was kept", async () => {
  const leaving = new AbortController();
  const tab = world.tab({}, clock, leaving.signal);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  const { position } = tab;
  await leave(leaving, tab);
  kas.offline = true;
  const again = world.anotherTab(world.signal, undefined, position);
  await clock.advanceUntil(() => again.messages.some(isOffline));
  await settle();
  expect(lastPictureOf(again)).toBeUndefined();
});
