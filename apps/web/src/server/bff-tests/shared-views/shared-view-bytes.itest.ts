import { deflateRaw } from "node:zlib";

import { systemClock } from "@binnacle/rpc";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { NAMES, type DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

vi.mock(import("node:zlib"), async (original) => {
  const zlib = await original();
  // Its overloads are those of the real one.
  return { ...zlib, deflateRaw: vi.fn<typeof zlib.deflateRaw>(zlib.deflateRaw) as unknown as typeof zlib.deflateRaw };
});

const COOKIE = "_gitlab_session=session-maintainer";
const PODS = 400;
/** What was just sent stays new. */
const STANDING = { now: () => 1_800_000_000_000, after: systemClock.after.bind(systemClock) };

let world: DashboardWorld;

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer", "developer"]);
  for (let index = 0; index < PODS; index += 1) putPod(index, 0);
  world.start(STANDING);
});

afterEach(() => world.close());

function putPod(index: number, restartCount: number): void {
  const status = { phase: "Running", containerStatuses: [{ name: "main", ready: true, restartCount, state: {} }] };
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: `pod-${index}` }, spec: {}, status });
}

/** How often those have restarted that have. */
const restartsIn = ({ nodes }: DashboardTab): number[] =>
  [...nodes.values()]
    .map(({ restarts }) => restarts)
    .filter((count) => count > 0)
    .toSorted((a, b) => a - b);

test("W15: a new subscriber of a large view that changes is sent one block, then deltas, to the same state", async () => {
  const staying = world.open(world.clientWith(COOKIE));
  await staying.until((now) => now.nodes.size === PODS && now.isComplete());
  vi.mocked(deflateRaw).mockClear();
  for (let turn = 1; turn <= 10; turn += 1) {
    const tab = world.open(world.clientWith(COOKIE));
    await tab.until((now) => now.nodes.size === PODS && restartsIn(now).length === turn - 1);
    putPod(turn, turn);
    for (const each of [staying, tab]) await each.until((now) => restartsIn(now).length === turn);
    expect(restartsIn(tab)).toEqual(restartsIn(staying));
  }
  expect(deflateRaw).toHaveBeenCalledTimes(1);
});

test("W15: pages of one browser are sent the block in the same stream, each with all nodes", async () => {
  const staying = world.open(world.clientWith(COOKIE));
  await staying.until((now) => now.nodes.size === PODS && now.isComplete());
  vi.mocked(deflateRaw).mockClear();
  const topics = [1, 2, 3].map((id) => ({ id, topic: { case: "environment", value: NAMES } as const }));
  const shown = new Map<number, number>();
  for await (const { topic, message } of world.clientWith(COOKIE).watch({ topics }, { signal: world.signal })) {
    if (message.case !== "environment" || message.value.message.case !== "snapshot") continue;
    shown.set(topic, message.value.message.value.nodes.length);
    if (shown.size === topics.length) break;
  }
  expect([...shown.values()]).toEqual([PODS, PODS, PODS]);
  expect(deflateRaw).toHaveBeenCalledTimes(1);
});

test("W15: two identities are never sent the same block", async () => {
  const tabs = ["maintainer", "developer"].map((user) => world.open(world.clientWith(`_gitlab_session=session-${user}`)));
  for (const tab of tabs) await tab.until((now) => now.nodes.size === PODS && now.isComplete());
  vi.mocked(deflateRaw).mockClear();
  const others = ["maintainer", "developer"].map((user) => world.open(world.clientWith(`_gitlab_session=session-${user}`)));
  for (const tab of others) await tab.until((now) => now.nodes.size === PODS);
  expect(deflateRaw).toHaveBeenCalledTimes(2);
});
