import { DeliveryState, DeploymentSource, ProblemKind, type Deployment, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { HurriedClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { deliveryOf, NAMES, type DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const [FIRST, SECOND] = ["a".repeat(40), "b".repeat(40)];

let world: DashboardWorld;
let clock: HurriedClock;
beforeEach(async () => {
  clock = new HurriedClock();
  world = await DashboardWorld.open(["maintainer"]);
  world.start(clock);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
});
afterEach(() => world.close());

function deploymentOf(sha: string) {
  return { sha, ref: "main", status: "SUCCESS", finishedAt: "2026-01-01T10:00:00Z", commit: { title: `Commit ${sha[0]}` } };
}

/** What a page shows now. */
function shown(tab: DashboardTab): Deployment | undefined {
  return deliveryOf(tab)?.lastDeployment?.value;
}

/** Why a page shows none: the reason, or the state where that is reason enough. */
function missing(tab: DashboardTab): string | undefined {
  const { state, why } = deliveryOf(tab)?.lastDeployment ?? {};
  return why?.id ?? (state === DeliveryState.NONE ? "none" : undefined);
}

const skipUntil = (tab: DashboardTab, wanted: () => boolean): Promise<void> => tab.skipUntil(clock, { stepMs: 31_000, wanted });

async function firstRow(wanted: (row: EnvironmentRow) => boolean = () => true): Promise<EnvironmentRow | undefined> {
  for await (const { rows } of world.clientWith().watchEnvironments({ projectPath: "group/app", visible: [] }))
    for (const row of rows) if (wanted(row)) return row;
  return undefined;
}

/** Content of kas' list from now on. */
function kasLists(list: object): void {
  world.kas.gitops = (_project, response) => void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
}

/** kas lists only this sync from now on. */
function kasSays(sync: Readonly<Record<string, unknown>>): void {
  kasLists({ syncs: [{ project: "group/manifests", commitId: "cccccccc", objects: 1, namespaces: ["prod"], ...sync }] });
}

test("the header and the row of an environment say what was deployed to it last", async () => {
  world.main.deployment = deploymentOf(FIRST);
  const tab = await world.openTab();
  expect(shown(tab)).toMatchObject({
    source: DeploymentSource.CI,
    sha: FIRST,
    title: "Commit a",
    ref: "main",
  });
  expect((await firstRow())?.environment?.delivery?.lastDeployment?.value).toMatchObject({ sha: FIRST });
});

test("deployments are in the journal of each object, for viewers who received them", async () => {
  world.main.deployment = deploymentOf(FIRST);
  const ref = { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "prod", name: "web" };
  const ask = async () => (await world.clientWith().getResource({ ...NAMES, ref })).deployments.map(({ sha }) => sha);
  expect(await ask()).toEqual([]);
  const tab = await world.openTab();
  expect(await ask()).toEqual([FIRST]);
  world.main.deployment = deploymentOf(SECOND);
  await skipUntil(tab, () => shown(tab)?.sha === SECOND);
  expect(await ask()).toEqual([SECOND, FIRST]);
});

test("a later deployment is sent in the open stream, without another snapshot", async () => {
  world.main.deployment = deploymentOf(FIRST);
  const tab = await world.openTab();
  const snapshots = (): number => tab.messages.filter(({ message }) => message.case === "snapshot").length;
  const before = snapshots();
  world.main.deployment = deploymentOf(SECOND);
  await skipUntil(tab, () => shown(tab)?.sha === SECOND);
  expect(snapshots()).toBe(before);
  world.main.deployment = null;
  await skipUntil(tab, () => shown(tab) === undefined);
  expect(missing(tab)).toBe("delivery/reports-not-supported");
});

test("an environment that is stopped while a page is open is shown as stopped, and a deleted one ends the stream", async () => {
  const tab = await world.openTab();
  const [environment] = world.main.environments;
  if (environment === undefined) throw new Error("there is an environment");
  world.main.environments = [{ ...environment, state: "stopped" }];
  const stateOf = (): string => {
    const header = tab.messages.findLast(({ message }) => message.case === "header")?.message;
    return header?.case === "header" ? (header.value.environment?.state ?? "") : "";
  };
  await skipUntil(tab, () => stateOf() === "stopped");
  world.main.environments = [];
  await skipUntil(tab, () => tab.problem !== undefined);
  expect(tab.problem?.kind).toBe(ProblemKind.NOT_FOUND);
});

test("a main application that is away takes nothing from the deployment that is shown", async () => {
  world.main.deployment = deploymentOf(FIRST);
  const tab = await world.openTab();
  world.main.broken = 503;
  const before = world.main.requests.length;
  await skipUntil(tab, () => world.main.requests.length > before);
  world.main.broken = undefined;
  world.main.deployment = deploymentOf(SECOND);
  await skipUntil(tab, () => shown(tab)?.sha === SECOND);
  const deliveries = tab.messages.flatMap(({ message }) => (message.case === "delivery" ? [message.value.lastDeployment] : []));
  expect(deliveries.every((last) => last?.value !== undefined)).toBe(true);
  expect(deliveries.at(-1)).toMatchObject({ state: DeliveryState.KNOWN });
});

test("a deployment that cannot be read is another thing than none, and the picture is there all the same", async () => {
  world.main.deployments = "failing";
  kasLists({ syncs: [], complete: true });
  const isAnswered = (tab: DashboardTab) => deliveryOf(tab)?.sync?.state === DeliveryState.NONE;
  const tab = await world.openTab();
  await tab.until(() => isAnswered(tab));
  expect(missing(tab)).toBe("delivery/deployment-not-readable");
  const row = await firstRow(({ environment }) => environment?.delivery?.sync?.state === DeliveryState.NONE);
  expect(row?.environment?.delivery?.lastDeployment?.why?.id).toBe("delivery/deployment-not-readable");
  world.main.deployments = "known";
  const later = await world.openTab();
  await later.until(() => isAnswered(later));
  expect(missing(later)).toBe("none");
});

test("a main application that does not know deployments is queried again without them, and later viewers are not queried with them", async () => {
  world.main.deployments = "unknown";
  kasLists({ syncs: [], complete: true });
  for (let times = 0; times < 2; times += 1) {
    const tab = await world.openTab();
    await tab.until(() => deliveryOf(tab)?.sync?.state === DeliveryState.NONE);
    expect(missing(tab)).toBe("delivery/deployment-not-supported");
  }
  // Its answer names the field that it does not have.
  expect(world.main.environmentQueries.with).toBe(1);
});

test("B1: a tag is sent as a tag, and a main application without tags still sends the commit", async () => {
  world.main.deployment = { ...deploymentOf(FIRST), ref: "v1.4.2", tag: true };
  const version = async (): Promise<unknown> => {
    const { sha, ref, tag } = shown(await world.openTab()) ?? {};
    return { sha, ref, tag };
  };
  expect(await version()).toEqual({ sha: FIRST, ref: "v1.4.2", tag: true });
  world.main.deployments = "without-tag";
  world.main.deployment = { ...deploymentOf(FIRST), ref: "v1.4.2" };
  const before = world.main.environmentQueries.with;
  expect(await version()).toEqual({ sha: FIRST, ref: "v1.4.2", tag: false });
  expect(await version()).toEqual({ sha: FIRST, ref: "v1.4.2", tag: false });
  expect(world.main.environmentQueries.with).toBe(before + 3);
});

test("where no job deploys, header and row say which commit an agent has applied, to who may read it with its words", async () => {
  world.main.commits.set("group/manifests@aaaaaaaa", { sha: FIRST, title: "Scale web", authorName: "Ann", webUrl: "/c" });
  world.main.commitReaders.add("maintainer");
  kasSays({ state: "GITOPS_SYNC_STATE_SYNCED", commitId: "aaaaaaaa", appliedCommitId: "aaaaaaaa", appliedAt: "2026-01-01T10:00:00Z" });
  const tab = await world.openTab();
  await tab.until(() => shown(tab)?.source === DeploymentSource.GITOPS);
  const applied = { source: DeploymentSource.GITOPS, sha: FIRST, title: "Scale web", author: "Ann", job: "", byUsername: "" };
  expect(shown(tab)).toMatchObject(applied);
  expect(shown(tab)?.at?.seconds).toBe(BigInt(Date.parse("2026-01-01T10:00:00Z") / 1_000));
  const row = await firstRow(({ environment }) => environment?.delivery?.lastDeployment?.value?.source === DeploymentSource.GITOPS);
  expect(row?.environment?.delivery?.lastDeployment?.value).toMatchObject(applied);

  // A commit that fails takes nothing from the one that is there.
  const before = tab.messages.length;
  kasSays({ state: "GITOPS_SYNC_STATE_FAILED", failed: 1, appliedCommitId: "aaaaaaaa", appliedAt: "2026-01-01T10:00:00Z" });
  await skipUntil(tab, () => tab.messages.slice(before).some(({ message }) => message.case === "delivery"));
  expect(shown(tab)).toMatchObject(applied);
});

test("a job's deployment is shown beside a sync, and one of an agent without any words to who may not read the commit", async () => {
  kasSays({ state: "GITOPS_SYNC_STATE_SYNCED", appliedCommitId: "aaaaaaaa" });
  const tab = await world.openTab();
  await tab.until(() => shown(tab)?.source === DeploymentSource.GITOPS);
  expect(shown(tab)).toMatchObject({ sha: "aaaaaaaa", title: "", author: "", commitUrl: "" });
  expect(shown(tab)?.at).toBeUndefined();
  world.main.deployment = deploymentOf(SECOND);
  await skipUntil(tab, () => shown(tab)?.sha === SECOND);
  expect(shown(tab)?.source).toBe(DeploymentSource.CI);
});
