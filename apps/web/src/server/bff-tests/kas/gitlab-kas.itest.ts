import { StaleCause, type Source, type Words } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { HurriedClock, until } from "@binnacle/testing";
import { renderEnglish } from "@binnacle/words/render-english";
import { afterEach, beforeEach, expect, test } from "vitest";

import { webConfigSchema } from "../../config/config.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import type { StandInKas } from "../../kas/testing/stand-in-kas.ts";
import type { StandInGitlabKas } from "../../kas/testing/stand-in-gitlab-kas.ts";
import { DashboardTab, deliveryOf, logsClient, NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const USERS = ["maintainer", "developer", "reporter"];
const KINDS = ["configmaps", "services", "endpoints", "serviceaccounts", "limitranges", "resourcequotas", "podtemplates", "secrets"];
const AGENTS = [3, 4, 5];

let world: DashboardWorld;
let clock: HurriedClock;
let behind: StandInKas;
let kas: StandInGitlabKas;

beforeEach(async () => {
  world = await DashboardWorld.open(USERS, "GitLab");
  // Present in every world that is opened with it.
  ({ kas: behind, gitlabKas: kas } = world as typeof world & { readonly gitlabKas: StandInGitlabKas });
  world.main.environments = AGENTS.map((agentId) => ({ id: agentId, name: `env-${agentId}`, namespace: "prod", agentId }));
  for (const id of AGENTS) behind.agents.add(String(id));
  for (const [index, resource] of KINDS.entries()) {
    if (behind.kinds.some((kind) => kind.resource === resource)) continue;
    behind.kinds.push({ group: "", resource, kind: `Kind${index}` });
  }
  behind.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
  for (const resource of KINDS) behind.put(resource, { apiVersion: "v1", kind: resource, metadata: { name: "one" } });
  clock = new HurriedClock();
  world.start(clock, { views: webConfigSchema.shape.views.parse({ of_agents: "prefer" }) });
});
afterEach(() => world.close());

function open(user: string, agentId: number): DashboardTab {
  const client = world.clientWith(`_gitlab_session=session-${user}`);
  return new DashboardTab(client, world.signal, { environment: `env-${agentId}` });
}

/** The newest word about each kind. */
function sourcesOf({ messages }: DashboardTab): Source[] {
  const sources = new Map<string, Source>();
  for (const { message } of messages) {
    const received = message.case === "snapshot" ? message.value.sources : message.case === "delta" ? message.value.upsertedSources : [];
    for (const source of received) sources.set(source.resource, source);
  }
  return [...sources.values()];
}

function englishOf(message: Words | undefined): string {
  return renderEnglish(message && fromWordsMessage(message));
}

const isShown = (tab: DashboardTab): boolean => tab.isComplete() && [...tab.nodes.values()].some(({ ref }) => ref?.name === "web");

test("a page makes its view over the proxy with at most eight watches, and says why other kinds are listed", async () => {
  let most = 0;
  const counting = setInterval(() => (most = Math.max(most, behind.watches.size)), 1);
  const tab = open("maintainer", 3);
  await tab.until(isShown);
  await until(() => behind.watches.size === 8);
  clearInterval(counting);
  expect(most).toBe(8);
  expect(tab.problem).toBeUndefined();
  const sampled = sourcesOf(tab).filter(({ staleCause }) => staleCause === StaleCause.SAMPLED);
  expect(sampled.length).toBeGreaterThan(2);
  const sentences = new Set(sampled.map(({ staleWords }) => englishOf(staleWords)));
  expect([...sentences]).toEqual([
    expect.stringMatching(
      /^this agent server \(kas\), as GitLab's own, has no views of agents: at most 8 watches are open at a time, and this kind is listed every \d+ s$/,
    ),
  ]);
});

test("viewers of all agents together probe each offer once, and again after ten minutes", async () => {
  const everyone = async (): Promise<void> => {
    const tabs = USERS.flatMap((user) => AGENTS.map((agentId) => open(user, agentId)));
    await Promise.all(tabs.map((tab) => tab.until((now) => isShown(now) && deliveryOf(now)?.sync?.why !== undefined)));
    for (const user of USERS) {
      const client = logsClient(world.bff, { origin: ORIGIN, cookie: `_gitlab_session=session-${user}` });
      const readBy: (boolean | undefined)[] = [];
      for await (const { message } of client.readLogs({ ...NAMES, environment: "env-4" })) {
        if (message.case === "sources") readBy.push(message.value.isReadByAgent);
      }
      expect(new Set(readBy)).toEqual(new Set([false]));
    }
    for (const agentId of AGENTS) await world.clientWith().getMetrics({ ...NAMES, environment: `env-${agentId}` });
  };
  await everyone();
  await everyone();
  const offers = [
    "GET /-/services/prometheus/-/metrics",
    "GET /binnacle/v1/gitops/syncs",
    "POST /binnacle/v1/logs",
    "POST /binnacle/v1/views",
  ];
  expect(kas.ourPaths.toSorted()).toEqual(offers);
  clock.skip(11 * 60_000);
  await everyone();
  expect(new Set(kas.ourPaths)).toEqual(new Set(offers));
  for (const offer of offers) expect(kas.ourPaths.filter((path) => path === offer).length).toBeLessThanOrEqual(2);
});

test("a page says of syncs and of metrics of services that this kas has none, and shows no problem", async () => {
  const tab = open("maintainer", 3);
  await tab.until((now) => isShown(now) && deliveryOf(now)?.sync?.why !== undefined);
  expect(englishOf(deliveryOf(tab)?.sync?.why)).toBe(
    "This agent server (kas) has no reports of syncs: GitLab's own kas and old releases have none",
  );
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { words } = await world.clientWith().getMetrics({ ...NAMES, environment: "env-3" });
    expect(englishOf(words)).toContain("this agent server (kas) or agent reaches no services of the cluster");
  }
  expect(tab.problem).toBeUndefined();
});

test("of an agent that is not connected a page says what kas says, without a problem, and is live once it is there", async () => {
  kas.offline = true;
  const tab = open("maintainer", 3);
  const said = (): string[] =>
    tab.messages.flatMap(({ message }) => (message.case === "connection" ? [englishOf(message.value.words)] : []));
  await until(() => said().length > 0);
  expect(new Set(said())).toEqual(new Set([expect.stringContaining("Agent connection not found. Is agent up to date and connected?")]));
  expect(behind.requests).toEqual([]);
  kas.offline = false;
  await clock.skipUntil(() => isShown(tab), 1_000);
  expect(tab.problem).toBeUndefined();
});
