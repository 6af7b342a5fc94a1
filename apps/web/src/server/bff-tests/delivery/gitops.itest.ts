import type { ServerResponse } from "node:http";

import { DeliveryState, GitopsState, type Gitops } from "@binnacle/proto/dashboard";
import { HurriedClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { deliveryOf, type DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const SHA = "abcdef12";
const WHOLE = SHA.padEnd(40, "0");
const SYNC = {
  project: "group/manifests",
  commitId: SHA,
  state: "GITOPS_SYNC_STATE_SYNCED",
  startedAt: "2026-01-01T10:00:00Z",
  finishedAt: "2026-01-01T10:00:05Z",
  reportedAt: "2026-01-01T10:00:06Z",
  objects: 3,
  namespaces: ["prod"],
};

let world: DashboardWorld;
let clock: HurriedClock;
/** Queries that kas received: the project, or "" for the list. */
let queries: string[];

beforeEach(async () => {
  clock = new HurriedClock();
  queries = [];
  world = await DashboardWorld.open(["maintainer", "guest"]);
  world.start(clock);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
});
afterEach(() => world.close());

/** kas answers with this from now on; a text goes out as it is. */
function kasSays(list: unknown, one: unknown = {}): void {
  world.kas.gitops = (project: string | undefined, response: ServerResponse) => {
    queries.push(project ?? "");
    const body = project === undefined ? list : one;
    response.writeHead(200, { "content-type": "application/json" }).end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** What a page shows now. */
function shown(tab: DashboardTab): Gitops | undefined {
  return deliveryOf(tab)?.sync?.value;
}

const skipUntil = (tab: DashboardTab, wanted: () => boolean): Promise<void> => tab.skipUntil(clock, { stepMs: 10_500, wanted });

test("a sync of the environment is shown, with its commit for who may read the manifest project", async () => {
  world.main.commits.set(`group/manifests@${SHA}`, {
    sha: WHOLE,
    title: "Scale\nweb",
    authorName: "Ann",
    webUrl: "https://evil.example/commit",
  });
  world.main.commitReaders.add("maintainer");
  kasSays({ syncs: [SYNC, { ...SYNC, project: "group/other", namespaces: ["elsewhere"] }] });
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  expect(deliveryOf(tab)?.sync?.asOf).toBeUndefined();
  expect(shown(tab)?.syncs).toMatchObject([
    { project: "group/manifests", sha: WHOLE, title: "Scale web", author: "Ann", commitUrl: "", state: GitopsState.SYNCED, objects: 3 },
  ]);
});

test("who may not read the manifest project is shown state and short id only", async () => {
  world.main.commits.set(`group/manifests@${SHA}`, { sha: WHOLE, title: "Scale", authorName: "Ann", webUrl: "/c" });
  kasSays({ syncs: [SYNC] });
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  expect(shown(tab)?.syncs).toMatchObject([{ sha: SHA, title: "", author: "", commitUrl: "", state: GitopsState.SYNCED }]);
});

test("a commit of another id than the sync's is not shown as its commit", async () => {
  world.main.commits.set(`group/manifests@${SHA}`, { sha: "1".repeat(40), title: "Of a branch", authorName: "Ann", webUrl: "/c" });
  world.main.commitReaders.add("maintainer");
  kasSays({ syncs: [SYNC] });
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  expect(shown(tab)?.syncs).toMatchObject([{ sha: SHA, title: "" }]);
});

test("an older kas says nothing, and nothing is shown", async () => {
  const tab = await world.openTab();
  await skipUntil(tab, () => world.kas.requests.filter((line) => line.endsWith("/binnacle/v1/gitops/syncs")).length >= 2);
  expect(shown(tab)?.syncs ?? []).toEqual([]);
});

test("what failed is listed, and how far an apply has come", async () => {
  const sync = { ...SYNC, state: "GITOPS_SYNC_STATE_APPLYING", failed: 1, finishedAt: undefined };
  const objects = [
    { group: "apps", kind: "Deployment", namespace: "prod", name: "web", outcome: "GITOPS_OUTCOME_FAILED", reason: "no\nquota" },
    { kind: "Service", namespace: "prod", name: "web", outcome: "GITOPS_OUTCOME_APPLIED" },
    { kind: "ConfigMap", namespace: "prod", name: "web", outcome: "GITOPS_OUTCOME_OF_LATER" },
  ];
  kasSays({ syncs: [sync] }, { sync, objects });
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  expect(shown(tab)?.syncs).toMatchObject([
    { state: GitopsState.APPLYING, settled: 2, failures: [{ kind: "Deployment", name: "web", reason: "no quota" }] },
  ]);
});

test("a state that is not known yet is shown as unknown, never as synced", async () => {
  kasSays({
    syncs: [
      { ...SYNC, state: "GITOPS_SYNC_STATE_MARVELLOUS" },
      { ...SYNC, project: "group/number", state: 99 },
    ],
  });
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  expect(shown(tab)?.syncs.map(({ state }) => state)).toEqual([GitopsState.UNSPECIFIED, GitopsState.UNSPECIFIED]);
});

test.each([
  ["a text", "no JSON"],
  ["another type", { syncs: "many" }],
  ["a wrong field", { syncs: [{ ...SYNC, objects: "three" }] }],
  ["more failed than there are", { syncs: [{ ...SYNC, failed: 4 }] }],
  ["a project that is none", { syncs: [{ ...SYNC, project: "../../admin" }] }],
  ["a commit that is none", { syncs: [{ ...SYNC, commitId: "main" }] }],
  ["10 MB", `{"syncs":[${" ".repeat(10 * 1024 * 1024)}]}`],
])("a kas that says %s takes nothing from what is known, which gets its age", async (_what, lie) => {
  kasSays({ syncs: [SYNC] });
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  kasSays(lie);
  await skipUntil(tab, () => deliveryOf(tab)?.sync?.asOf !== undefined);
  expect(shown(tab)?.syncs).toMatchObject([{ project: "group/manifests", state: GitopsState.SYNCED }]);
  kasSays({ syncs: [{ ...SYNC, state: "GITOPS_SYNC_STATE_PAUSED" }] });
  await skipUntil(tab, () => deliveryOf(tab)?.sync?.asOf === undefined);
  expect(shown(tab)?.syncs).toMatchObject([{ state: GitopsState.PAUSED }]);
});

test("a viewer who may no longer read syncs is shown none", async () => {
  kasSays({ syncs: [SYNC] });
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  world.kas.gitops = (_project, response) => void response.writeHead(403).end("{}");
  await skipUntil(tab, () => deliveryOf(tab)?.sync?.state === DeliveryState.FORBIDDEN);
  expect(shown(tab)).toBeUndefined();
});

test("two tabs of one viewer make one look", async () => {
  kasSays({ syncs: [SYNC] });
  const [first, second] = [await world.openTab(), await world.openTab()];
  await first.until(() => shown(first) !== undefined);
  await second.until(() => shown(second) !== undefined);
  // What was applied is read of the project, once, and when it comes.
  const lists = () => queries.filter((project) => project === "").length;
  expect(lists()).toBe(1);
  await skipUntil(first, () => lists() >= 2);
  expect(lists()).toBe(2);
  expect(queries.length - lists()).toBeLessThanOrEqual(1);
});

test("a kas without syncs sends the query on to the cluster, and is queried again in ten minutes", async () => {
  let looks = 0;
  world.kas.gitops = (_project, response) => {
    looks += 1;
    response.writeHead(404).end("{}");
  };
  const tab = await world.openTab();
  const beganMs = clock.now();
  await skipUntil(tab, () => looks === 1);
  await skipUntil(tab, () => clock.now() - beganMs > 5 * 60_000);
  expect(looks).toBe(1);
  await skipUntil(tab, () => looks === 2);
  expect(clock.now() - beganMs).toBeGreaterThan(9 * 60_000);
});

test("B2: a kas that has restarted takes nothing from what is known, which is dated until the agent has reported again", async () => {
  world.main.deployment = null;
  const applied = { ...SYNC, appliedCommitId: SHA, appliedAt: "2026-01-01T10:00:05Z" };
  const last = (tab: DashboardTab) => deliveryOf(tab)?.lastDeployment;
  kasSays({ syncs: [applied], complete: true });
  const tab = await world.openTab();
  await tab.until(() => last(tab)?.state === DeliveryState.KNOWN);
  kasSays({});
  await skipUntil(tab, () => last(tab)?.state === DeliveryState.UNKNOWN);
  const { sync, inventory, lastDeployment } = deliveryOf(tab) ?? {};
  expect(lastDeployment).toMatchObject({ value: { sha: SHA }, why: { id: "delivery/agent-not-reported" } });
  expect(sync).toMatchObject({ state: DeliveryState.UNKNOWN, value: { syncs: [{ state: GitopsState.SYNCED }] } });
  expect([lastDeployment?.asOf, sync?.asOf, inventory?.state]).toEqual([expect.anything(), expect.anything(), DeliveryState.UNKNOWN]);
  // A page that is opened now receives the same.
  const fresh = await world.openTab();
  await fresh.until(() => last(fresh)?.value?.sha === SHA);
  expect(last(fresh)?.state).toBe(DeliveryState.UNKNOWN);
  kasSays({ syncs: [applied], complete: true });
  await skipUntil(tab, () => last(tab)?.state === DeliveryState.KNOWN);
  expect(last(tab)?.asOf).toBeUndefined();
  // Only a list that is complete says that there is none.
  kasSays({ complete: true });
  await skipUntil(tab, () => last(tab)?.state === DeliveryState.NONE);
  expect(shown(tab)).toBeUndefined();
});

test("B2: an environment of which kas has never heard is not known, and not without a deployment", async () => {
  world.main.deployment = null;
  kasSays({});
  const tab = await world.openTab();
  await tab.until(() => deliveryOf(tab)?.sync?.why?.id === "delivery/agent-not-reported");
  expect(deliveryOf(tab)?.lastDeployment).toMatchObject({ state: DeliveryState.UNKNOWN });
});

test("B1: kas wakes the page, without a poll", async () => {
  const waiting: ServerResponse[] = [];
  const answer = (response: ServerResponse, list: object, etag: string) =>
    void response.writeHead(200, { "content-type": "application/json", etag }).end(JSON.stringify(list));
  let isFirst = true;
  world.kas.gitops = (project, response) => {
    if (project !== undefined) response.writeHead(404).end();
    else if (isFirst) answer(response, { syncs: [SYNC] }, '"one"');
    else waiting.push(response);
    isFirst = false;
  };
  const tab = await world.openTab();
  await tab.until(() => shown(tab) !== undefined);
  clock.skip(600);
  await until(() => waiting.length === 1);
  const [response] = waiting;
  if (response === undefined) throw new Error("a request waits");
  answer(response, { syncs: [{ ...SYNC, state: "GITOPS_SYNC_STATE_PAUSED" }] }, '"two"');
  await tab.until(() => shown(tab)?.syncs[0]?.state !== GitopsState.SYNCED);
  expect(shown(tab)?.syncs[0]?.state).toBe(GitopsState.PAUSED);
});
