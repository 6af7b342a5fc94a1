// needs: control-plane
// long: waits for pages that share nothing, a minute
import type { Browser, BrowserContext, Page } from "@playwright/test";

import { BrowserTraffic } from "../support/browser-traffic.ts";
import { EnvironmentPage } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { startOtherDashboard, type OtherDashboard } from "../support/other-dashboard.ts";
import { takeAway } from "../support/own-stream.ts";
import { setHidden } from "../support/page-visibility.ts";
import { watchAnswers } from "../support/watch-answers.ts";

/** Not loopback to a browser, so that http does not make it a secure context. */
const HOST = "binnacle.test";
const TABS = 4;

let dashboard: OtherDashboard;
/** A browser in which the host leads to this machine. */
let plain: Browser;

// Not fixtures of the worker: those would begin another worker, and with it another sandbox.
test.beforeAll(async ({ sandbox, browser, launchOptions }) => {
  dashboard = await startOtherDashboard(sandbox, HOST);
  const args = [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`];
  plain = await browser.browserType().launch({ ...launchOptions, args });
});

test.afterAll(async () => {
  await plain.close();
  await dashboard.stop();
});

/** Pages of production and staging, all live; the first one was there first. */
async function openTabs(context: BrowserContext): Promise<Page[]> {
  const pages: Page[] = [];
  for (let tab = 0; tab < TABS; tab += 1) {
    const page = await context.newPage();
    const url = dashboard.graphUrl(tab % 2 === 0 ? "production" : "staging");
    if (tab === 0) await dashboard.signIn(page, url);
    else await page.goto(url);
    await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
    await new EnvironmentPage(page).mark();
    pages.push(page);
  }
  return pages;
}

async function expectLive(pages: readonly Page[], configMap: string): Promise<void> {
  for (const page of pages) {
    const view = new EnvironmentPage(page);
    await expect(view.node("ConfigMap", configMap)).toBeVisible();
    await expect(page.getByText("Connected").first()).toBeVisible();
    await view.expectNoReload();
  }
}

test("W3: on a host that is no secure context four pages are live on one stream", async () => {
  const context = await plain.newContext({ viewport: { width: 1440, height: 2600 } });
  const pages = await openTabs(context);
  expect(await pages[0]?.evaluate(() => [isSecureContext, "SharedWorker" in globalThis, "locks" in navigator])).toEqual([
    false,
    true,
    false,
  ]);
  await expect.poll(dashboard.openStreams).toBe(1);
  await context.close();
  await expect.poll(dashboard.openStreams).toBe(0);
});

test("W3: without shared workers one of four pages has the stream for all; when it freezes or is closed the others go on", async ({
  sandbox,
}) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const context = await plain.newContext({ viewport: { width: 1440, height: 2600 } });
  await takeAway(context, "SharedWorker");
  const pages = await openTabs(context);
  expect(await pages[0]?.evaluate(() => [isSecureContext, "SharedWorker" in globalThis])).toEqual([false, false]);
  await expect.poll(dashboard.openStreams).toBe(1);
  const [leader, ...others] = pages;
  if (leader === undefined) throw new Error("four pages");
  const inProduction = others.filter((_, index) => index % 2 === 1);
  try {
    const cdp = await context.newCDPSession(leader);
    await cdp.send("Page.setWebLifecycleState", { state: "frozen" });
    await kubectl(viaKas, ["create", "configmap", "while-frozen"]);
    await expectLive(inProduction, "while-frozen");
    await cdp.send("Page.setWebLifecycleState", { state: "active" });
    await expectLive([leader], "while-frozen");
    await expect.poll(dashboard.openStreams).toBe(1);
    // Each that is closed may be the one that leads.
    await leader.close();
    await others[0]?.close();
    await kubectl(viaKas, ["create", "configmap", "after-the-leader"]);
    await expectLive(inProduction, "after-the-leader");
    await expect.poll(dashboard.openStreams).toBe(1);
  } finally {
    await context.close();
    await kubectl(viaKas, ["delete", "configmap", "--ignore-not-found", "while-frozen", "after-the-leader"]);
  }
  await expect.poll(dashboard.openStreams).toBe(0);
});

test("W3: where pages share nothing a hidden one lets its stream go after ten seconds, and comes back with what it missed", async ({
  sandbox,
}) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const context = await plain.newContext({ viewport: { width: 1440, height: 2600 } });
  await takeAway(context, "SharedWorker", "BroadcastChannel");
  const page = await context.newPage();
  const traffic = await BrowserTraffic.record(page);
  const view = new EnvironmentPage(page);
  await dashboard.signIn(page, dashboard.graphUrl("production"));
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect.poll(dashboard.openStreams).toBe(1);
  await setHidden(page, true);
  try {
    await expect.poll(dashboard.openStreams).toBe(0);
    await kubectl(viaKas, ["create", "configmap", "while-hidden"]);
    await setHidden(page, false);
    await expect(view.node("ConfigMap", "while-hidden")).toBeVisible();
    const last = (await watchAnswers(traffic)).at(-1);
    expect(last).toContain("delta");
    expect(last).not.toContain("snapshot");
  } finally {
    await context.close();
    await kubectl(viaKas, ["delete", "configmap", "--ignore-not-found", "while-hidden"]);
  }
});
