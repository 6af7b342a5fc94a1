import { DeploymentGap, DeploymentSource, type Deployment, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { DashboardTab } from "../testing/dashboard-tab.ts";
import { DashboardWorld } from "../testing/dashboard-world.ts";
import { HurriedClock } from "../testing/hurried-clock.ts";

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
  const message = tab.messages.findLast(({ message: { case: name } }) => name === "header" || name === "deployment")?.message;
  return message?.case === "header" ? message.value.environment?.deployment : message?.case === "deployment" ? message.value : undefined;
}

async function openTab(): Promise<DashboardTab> {
  const tab = world.anotherTab(world.signal);
  await tab.until(() => tab.nodes.size === 1 && tab.isComplete());
  return tab;
}

/** Leaves time out until something has come of it. */
async function skipUntil(tab: DashboardTab, wanted: () => boolean): Promise<void> {
  while (!wanted()) {
    const before = tab.messages.length;
    clock.skip(31_000);
    await tab.until(() => wanted() || tab.messages.length > before);
  }
}

async function firstRow(): Promise<EnvironmentRow | undefined> {
  for await (const { rows } of world.clientWith().watchEnvironments({ projectPath: "group/app", visible: [] })) return rows[0];
  return undefined;
}

test("the header and the row of an environment say what was deployed to it last", async () => {
  world.main.deployment = deploymentOf(FIRST);
  const tab = await openTab();
  expect(shown(tab)).toMatchObject({
    source: DeploymentSource.CI,
    gap: DeploymentGap.UNSPECIFIED,
    sha: FIRST,
    title: "Commit a",
    ref: "main",
  });
  expect((await firstRow())?.environment?.deployment).toMatchObject({ sha: FIRST });
});

test("a later deployment is told in the stream that is open, without another picture", async () => {
  world.main.deployment = deploymentOf(FIRST);
  const tab = await openTab();
  const snapshots = (): number => tab.messages.filter(({ message }) => message.case === "snapshot").length;
  const before = snapshots();
  world.main.deployment = deploymentOf(SECOND);
  await skipUntil(tab, () => shown(tab)?.sha === SECOND);
  expect(snapshots()).toBe(before);
  world.main.deployment = null;
  await skipUntil(tab, () => shown(tab)?.gap === DeploymentGap.NONE);
});

test("a main application that is away takes nothing from the deployment that is shown", async () => {
  world.main.deployment = deploymentOf(FIRST);
  const tab = await openTab();
  world.main.broken = 503;
  const asked = world.main.requests.length;
  await skipUntil(tab, () => world.main.requests.length > asked);
  world.main.broken = undefined;
  world.main.deployment = deploymentOf(SECOND);
  await skipUntil(tab, () => shown(tab)?.sha === SECOND);
  expect(tab.messages.flatMap(({ message }) => (message.case === "deployment" ? [message.value.gap] : []))).toEqual([
    DeploymentGap.UNSPECIFIED,
  ]);
});

test("a deployment that cannot be read is another thing than none, and the picture is there all the same", async () => {
  world.main.deployments = "failing";
  expect(shown(await openTab())?.gap).toBe(DeploymentGap.NOT_READABLE);
  expect((await firstRow())?.environment?.deployment?.gap).toBe(DeploymentGap.NOT_READABLE);
  world.main.deployments = "told";
  expect(shown(await openTab())?.gap).toBe(DeploymentGap.NONE);
});

test("a main application that does not know deployments is asked again without them, and not once more by whoever comes later", async () => {
  world.main.deployments = "unknown";
  expect(shown(await openTab())?.gap).toBe(DeploymentGap.NOT_TOLD);
  expect(shown(await openTab())?.gap).toBe(DeploymentGap.NOT_TOLD);
  expect((await firstRow())?.environment?.deployment?.gap).toBe(DeploymentGap.NOT_TOLD);
  expect(world.main.environmentQueries.with).toBe(1);
});
