// needs: control-plane
// long: freezes and kills each process beneath an open index, four minutes
import type { Browser, Page } from "@playwright/test";

import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectTrue, type IndexTruth } from "../support/index-claims.ts";
import { IndexFrames } from "../support/index-frames.ts";
import { kubectl } from "../support/kubectl.ts";
import { signalProcess, startCommand } from "../support/process-control.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** What is true of the unchanged demo. */
const DEMO: IndexTruth = {
  health: { production: ["healthy"], staging: ["degraded"], preview: [] },
  issues: [/payments/, /checkout/],
  needsAttention: true,
};
/** What is true for a viewer without access: the index has no data of it. */
const NOTHING: IndexTruth = { health: {}, issues: [], needsAttention: true };

/** Two tabs of one browser and another user's, each followed from its first HTML. */
interface Watchers {
  readonly url: string;
  readonly table: IndexFrames;
  readonly issues: IndexFrames;
  readonly outsider: IndexFrames;
}

function rowOf(page: Page, environment: string) {
  return page.locator(`tr[data-environment="${environment}"]`);
}

async function openAll(browser: Browser, sandbox: Sandbox): Promise<Watchers> {
  const url = graphUrl(sandbox, "production").replace(/\/[^/]+$/, "");
  const [own, foreign] = [await browser.newContext(), await browser.newContext()];
  const [table, issues, outsider] = [await own.newPage(), await own.newPage(), await foreign.newPage()];
  const frames = {
    table: await IndexFrames.follow(table),
    issues: await IndexFrames.follow(issues),
    outsider: await IndexFrames.follow(outsider),
  };
  await signIn(table, sandbox, { username: "maintainer", url });
  await signIn(outsider, sandbox, { username: "outsider", url });
  await issues.goto(`${url}?view=issues`);
  for (const page of [table, issues, outsider]) await new EnvironmentPage(page).mark();
  return { url, ...frames };
}

/** What the index says when all is known. */
interface Words {
  readonly attention: string;
  readonly issues: string;
}

const WELL: Words = { attention: "3 environments. 1 needs attention.", issues: "2 issues in 1 environment." };

async function expectWell({ table, issues, outsider }: Watchers, words = WELL): Promise<void> {
  await expect(table.page.locator("main .live"), "all are live").toBeVisible();
  await expect(issues.page.locator("main .live")).toBeVisible();
  for (const name of Object.keys(DEMO.health)) await expect(rowOf(table.page, name)).toHaveAttribute("data-knowledge", "fresh");
  await expect(rowOf(table.page, "staging")).toHaveAttribute("data-health", "degraded");
  await expect(rowOf(table.page, "staging")).toContainText(/: (image|registry) /);
  await expect(rowOf(table.page, "production")).toHaveAttribute("data-health", "healthy");
  await expect(table.page.getByText(words.attention)).toBeVisible();
  await expect(issues.page.locator("[data-issue]")).toHaveCount(Number.parseInt(words.issues));
  await expect(issues.page.getByText(words.issues)).toBeVisible();
  await expect(outsider.page.getByText("3 environments, 3 not visible to you.")).toBeVisible();
  for (const { page } of [table, issues, outsider]) await new EnvironmentPage(page).expectNoReload();
}

/** All rows are of before, for this reason; in words on each tab, and on one that is opened only now. */
async function expectOld(watchers: Watchers, why: RegExp, brokenSinceMs: number): Promise<void> {
  const { table, issues, url } = watchers;
  for (const name of Object.keys(DEMO.health)) await expect(rowOf(table.page, name)).toHaveAttribute("data-knowledge", "old");
  await expect(rowOf(table.page, "staging")).toContainText(/as of \d\d:\d\d/);
  await expect(table.page.locator("main h1 + p")).toHaveText(why);
  await expect(issues.page.getByText(/^2 issues in 1 environment; 3 environments as of \d\d:\d\d\.$/)).toBeVisible();
  await expect(issues.page.locator("[data-issue]").first()).toContainText(/as of \d\d:\d\d/);
  const late = await table.page.context().newPage();
  const frames = await IndexFrames.follow(late);
  await late.goto(url);
  await expect(late.locator("main h1 + p")).toHaveText(why);
  expectTrue(await frames.all(), { ...DEMO, brokenSinceMs });
  await late.close();
}

/** What was claimed so far is no more looked at. */
async function forget({ table, issues, outsider }: Watchers): Promise<void> {
  for (const frames of [table, issues, outsider]) await frames.forget();
}

/** Everything that was claimed since the pages were opened. */
async function expectAllTrue({ table, issues, outsider }: Watchers, truth: IndexTruth): Promise<void> {
  expectTrue(await table.all(), truth);
  expectTrue(await issues.all(), truth);
  expectTrue(await outsider.all(), { ...NOTHING, ...(truth.brokenSinceMs !== undefined && { brokenSinceMs: truth.brokenSinceMs }) });
  for (const { summary, issues: listed, isLive } of await outsider.all()) {
    expect(summary).not.toMatch(/\d needs? attention|\d issue/);
    expect([listed.length, isLive]).toEqual([0, false]);
  }
}

test("UB1: the index claims what is true, and no more, on a fresh load, while the agent is frozen and while it is dead", async ({
  browser,
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--restart", "never"]);
  const { pids, commands, kubeconfigs, environments } = sandbox.endpoints;
  const watchers = await openAll(browser, sandbox);
  await expectWell(watchers);
  await expectAllTrue(watchers, DEMO);
  const summaries = (await watchers.outsider.all()).map(({ summary }) => summary);
  const known = new Set(summaries.slice(summaries.indexOf("3 environments, 3 not visible to you.")));
  expect([...known], "what is known once stays known").toEqual(["3 environments, 3 not visible to you."]);

  const frozenMs = Date.now();
  signalProcess(pids.agentk[0], "SIGSTOP");
  try {
    await expectOld(watchers, /^3 environments\. 1 needs attention as of \d\d:\d\d, agent offline\.$/, frozenMs);
    await expectAllTrue(watchers, { ...DEMO, brokenSinceMs: frozenMs });
  } finally {
    signalProcess(pids.agentk[0], "SIGCONT");
  }
  await expectWell(watchers);

  await forget(watchers);
  const deadMs = Date.now();
  signalProcess(pids.agentk[0], "SIGKILL");
  await expectOld(watchers, /^3 environments\. 1 needs attention as of \d\d:\d\d, agent offline\.$/, deadMs);
  await expectAllTrue(watchers, { ...DEMO, brokenSinceMs: deadMs });
  // Changes now are not reported until an agent is connected again.
  const { namespace } = pick(environments, ({ name }) => name === "preview");
  await kubectl(kubeconfigs.cluster, ["create", "deployment", "late", "--image=nosuch.invalid/shop/late:1", "-n", namespace]);
  await expectAllTrue(watchers, { ...DEMO, brokenSinceMs: deadMs });
  await forget(watchers);
  const [command] = commands.agentk;
  if (command === undefined) throw new Error("endpoints.json names no command for agentk");
  const again = startCommand(command);
  try {
    await expectWell(watchers, { attention: "3 environments. 2 need attention.", issues: "3 issues in 2 environments." });
    const health = { ...DEMO.health, preview: ["progressing", "degraded"] };
    await expectAllTrue(watchers, { ...DEMO, health, issues: [...DEMO.issues, /late/] });
  } finally {
    again.stop();
  }
});

test("UB1: the index claims what is true, and no more, while web is restarted and while the Kubernetes API is dead", async ({
  browser,
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--restart", "never"]);
  const { pids, commands } = sandbox.endpoints;
  const watchers = await openAll(browser, sandbox);
  await expectWell(watchers);

  const webMs = Date.now();
  signalProcess(pids.web, "SIGKILL");
  await expect(watchers.table.page.locator("main")).toContainText(/Reconnecting, as of|Stale, as of/);
  await expect(rowOf(watchers.table.page, "staging")).toHaveAttribute("data-knowledge", "old");
  await expect(watchers.issues.page.getByText(/^2 issues in 1 environment; 3 environments as of \d\d:\d\d\.$/)).toBeVisible();
  await expectAllTrue(watchers, { ...DEMO, brokenSinceMs: webMs });
  const again = startCommand(commands.web);
  try {
    await expectWell(watchers);
    await expectAllTrue(watchers, DEMO);

    await forget(watchers);
    const apiServer = pids.cluster["kube-apiserver"] ?? pids.cluster["cluster"];
    const hungMs = Date.now();
    signalProcess(apiServer, "SIGSTOP");
    try {
      await expectOld(watchers, /^3 environments\. 1 needs attention as of \d\d:\d\d, the Kubernetes API does not answer\.$/, hungMs);
      await expectAllTrue(watchers, { ...DEMO, brokenSinceMs: hungMs });
    } finally {
      signalProcess(apiServer, "SIGCONT");
    }
    await expectNodesAlive(sandbox, Date.now());
    await expectWell(watchers);

    await forget(watchers);
    const deadMs = Date.now();
    signalProcess(apiServer, "SIGKILL");
    await expectOld(watchers, /^3 environments\. 1 needs attention as of \d\d:\d\d, .*\.$/, deadMs);
    await expectAllTrue(watchers, { ...DEMO, brokenSinceMs: deadMs });
  } finally {
    again.stop();
  }
});

/** Leases of nodes may have run out while the API server was stopped; until they are renewed the node controller may call a node lost. */
async function expectNodesAlive({ endpoints }: Sandbox, sinceMs: number): Promise<void> {
  const path = "{range .items[*]}{.spec.renewTime}{' '}{end}";
  await expect(async () => {
    const renewed = await kubectl(endpoints.kubeconfigs.cluster, ["get", "leases", "-n", "kube-node-lease", "-o", `jsonpath=${path}`]);
    for (const time of renewed.split(" ").filter(Boolean)) expect(Date.parse(time)).toBeGreaterThan(sinceMs);
    const ready = await kubectl(endpoints.kubeconfigs.cluster, ["get", "nodes", "--no-headers"]);
    expect(ready).not.toContain("NotReady");
  }).toPass({ timeout: 90_000 });
}
