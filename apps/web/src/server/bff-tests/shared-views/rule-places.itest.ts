import type { Header } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { HurriedClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const NOT_IN_FORCE = /^The rules of \.gitlab\/binnacle\.yaml are not in force: too many/;

/** One session may have forty streams. */
const USERS = ["ann", "ben", "cem"];

let world: DashboardWorld;
let clock: HurriedClock;
beforeEach(async () => {
  clock = new HurriedClock();
  world = await DashboardWorld.open(USERS);
  // As agents are that act as themselves: all share one view.
  world.kas.everybody = "system:serviceaccount:agents:agent";
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "queue" }, status: { phase: "Running" } });
  world.start(clock);
});
afterEach(() => world.close());

/** A tab of a project whose file hides pods, and a kind of its own, so that no two projects have the same rules. */
async function open(set: number, project = `group/p${set}`, signal = world.signal): Promise<DashboardTab> {
  world.main.otherProjects.set(project, `hidden: [Pod, x.example/K${set}]\n`);
  const cookie = `_gitlab_session=session-${USERS[set % USERS.length]}`;
  const tab = new DashboardTab(world.clientWith(cookie), signal, { projectPath: project });
  await tab.until(() => tab.isComplete());
  return tab;
}

function headerOf(tab: DashboardTab): Header | undefined {
  const found = tab.messages.findLast(({ message }) => message.case === "header")?.message;
  return found?.case === "header" ? found.value : undefined;
}

function noticesIn(tab: DashboardTab): string[] {
  return (headerOf(tab)?.notices ?? []).map((notice) => renderEnglish(fromWordsMessage(notice)));
}

function isInForce(tab: DashboardTab): boolean {
  return tab.nodes.size === 0 && tab.isComplete();
}

test("of a hundred sets 64 are in force; the others are shown without, say so, and one takes each place that becomes free", async () => {
  const leaving = new AbortController();
  const tabs: DashboardTab[] = [];
  for (let set = 0; set < 100; set += 1) tabs.push(await open(set, undefined, set === 10 ? leaving.signal : world.signal));
  expect(tabs.map(isInForce)).toEqual(tabs.map((_, at) => at < 64));
  expect(
    tabs
      .slice(0, 64)
      .flatMap(noticesIn)
      .filter((text) => NOT_IN_FORCE.test(text)),
  ).toEqual([]);
  for (const tab of tabs.slice(64)) expect(noticesIn(tab)).toEqual([expect.stringMatching(NOT_IN_FORCE)]);
  // Those without are one scope, of the same watches.
  expect(new Set(tabs.slice(64).map((tab) => tab.position?.view)).size).toBe(1);

  // Who has a set that is in force shares its place, though there is none.
  const shared = await open(20, "group/same");
  expect([isInForce(shared), shared.position?.view]).toEqual([true, tabs[20]?.position?.view]);

  leaving.abort();
  const first = tabs[64] ?? shared;
  await expect.poll(async () => (await world.now()).viewers).toBe(100);
  // Streams look for a place as often as they say that they live.
  clock.skip(11_000);
  await first.until(() => isInForce(first) && noticesIn(first).join().includes("2 kinds are hidden"));
  expect(noticesIn(first)).toEqual([expect.stringContaining("2 kinds are hidden")]);
  expect(tabs.slice(65).map(isInForce)).toEqual(tabs.slice(65).map(() => false));
});
