// needs: control-plane
// long: waits for the limits of a silent network, a minute
import type { Page } from "@playwright/test";

import { BrowserTraffic } from "../support/browser-traffic.ts";
import { EnvironmentPage } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { startOtherDashboard, type OtherDashboard } from "../support/other-dashboard.ts";
import { giveOwnStream } from "../support/own-stream.ts";
import { haltProcesses } from "../support/process-control.ts";
import { watchAnswers } from "../support/watch-answers.ts";

const HOUR_MS = 3_600_000;

let dashboard: OtherDashboard;

// Not a fixture of the worker: that would begin another worker, and with it another sandbox.
test.beforeAll(async ({ sandbox }) => {
  dashboard = await startOtherDashboard(sandbox, "127.0.0.1");
});

test.afterAll(() => dashboard.stop());

/** The second at which what the page shows was last known to be so, as the page says; milliseconds since the epoch. */
async function shownAge(page: Page): Promise<number> {
  const text =
    (await page
      .getByText(/(Stale|Reconnecting).*\d\d:\d\d:\d\d/)
      .first()
      .textContent()) ?? "";
  const [hours = 0, minutes = 0, seconds = 0] = (/(\d\d):(\d\d):(\d\d)/.exec(text)?.slice(1) ?? []).map(Number);
  return new Date().setHours(hours, minutes, seconds, 0);
}

/** What the last stream of the page brought: only what had changed. */
async function expectDelta(traffic: BrowserTraffic): Promise<void> {
  const last = (await watchAnswers(traffic)).at(-1);
  expect(last).toContain("delta");
  expect(last).not.toContain("snapshot");
}

test("W3, UB1: a network that is slow, silent or cut: the page keeps its picture, says how old it is, and gets what it missed", async ({
  page,
  sandbox,
}) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const { network } = dashboard;
  await giveOwnStream(page);
  const traffic = await BrowserTraffic.record(page);
  const view = new EnvironmentPage(page);
  await dashboard.signIn(page, dashboard.graphUrl("production"));
  await expect(view.node("Deployment", "web")).toBeVisible();
  await view.mark();
  try {
    network.slow(4_000);
    await kubectl(viaKas, ["create", "configmap", "while-slow"]);
    await expect(view.node("ConfigMap", "while-slow")).toBeVisible();
    network.restore();
    await expect(page.getByText("Connected").first()).toBeVisible();

    network.stall();
    const stalledMs = Date.now();
    await kubectl(viaKas, ["create", "configmap", "while-silent"]);
    await expect(page.getByText("Reconnecting").first()).toBeVisible();
    await expect(page.getByText("Stale").first()).toBeVisible();
    const ageMs = stalledMs - (await shownAge(page));
    expect(ageMs, "the last heartbeat before the silence").toBeGreaterThan(-2_000);
    expect(ageMs).toBeLessThan(12_000);
    await expect(view.node("Deployment", "web")).toBeVisible();
    await expect(view.node("ConfigMap", "while-silent")).toHaveCount(0);
    network.restore();
    await expect(view.node("ConfigMap", "while-silent")).toBeVisible();
    await expect(page.getByText("Connected").first()).toBeVisible();

    network.cut();
    await kubectl(viaKas, ["create", "configmap", "while-cut"]);
    await expect(page.getByText("No answer").first()).toBeVisible();
    await expect(view.node("Deployment", "web")).toBeVisible();
    network.restore();
    await expect(view.node("ConfigMap", "while-cut")).toBeVisible();
    await expect(page.getByText("Connected").first()).toBeVisible();
    await expectDelta(traffic);
    await view.expectNoReload();
  } finally {
    network.restore();
    await kubectl(viaKas, ["delete", "configmap", "--ignore-not-found", "while-slow", "while-silent", "while-cut"]);
  }
});

test("W3, UB1: a laptop that slept for an hour never calls its old picture live, and gets the new one by itself", async ({
  browser,
  launchOptions,
  sandbox,
}) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const { network } = dashboard;
  const server = await browser.browserType().launchServer(launchOptions);
  const laptop = await browser.browserType().connect(server.wsEndpoint());
  const page = await laptop.newPage({ viewport: { width: 1440, height: 2600 } });
  await giveOwnStream(page);
  await page.addInitScript(letClockJump);
  const traffic = await BrowserTraffic.record(page);
  const view = new EnvironmentPage(page);
  try {
    await dashboard.signIn(page, dashboard.graphUrl("production"));
    await expect(view.node("Deployment", "web")).toBeVisible();
    await expect(page.getByText("Connected").first()).toBeVisible();
    await view.mark();
    const sleptMs = Date.now();
    // The page's time is on before it sleeps: it reads none while it does.
    await page.evaluate((jumpMs) => Reflect.set(globalThis, "sleptMs", jumpMs), HOUR_MS);
    const wake = haltProcesses(server.process().pid ?? 0);
    network.forget();
    await kubectl(viaKas, ["create", "configmap", "while-asleep"]);
    // It is awake before its network is.
    network.stall();
    wake();
    await expect(page.getByText("Stale").first()).toBeVisible();
    expect(Math.abs(sleptMs - (await shownAge(page)))).toBeLessThan(15_000);
    await expect(view.node("Deployment", "web")).toBeVisible();
    await expect(page.getByRole("group", { name: "Environment state" })).not.toContainText("Connected");
    expect(await view.node("ConfigMap", "while-asleep").count(), "the picture is still the old one").toBe(0);
    network.restore();
    await expect(view.node("ConfigMap", "while-asleep")).toBeVisible();
    await expect(page.getByText("Connected").first()).toBeVisible();
    await expectDelta(traffic);
    await view.expectNoReload();
  } finally {
    network.restore();
    await server.close();
    await kubectl(viaKas, ["delete", "configmap", "--ignore-not-found", "while-asleep"]);
  }
});

/** Runs in the page: the wall clock jumps on command, the clock of timers does not, as after a sleep. */
function letClockJump(): void {
  const Real = Date;
  const jumpMs = (): number => Number(Reflect.get(globalThis, "sleptMs") ?? 0);
  globalThis.Date = new Proxy(Real, {
    construct: (target, args: readonly unknown[]) => Reflect.construct(target, args.length === 0 ? [Real.now() + jumpMs()] : args),
    get: (target, name) => (name === "now" ? () => Real.now() + jumpMs() : Reflect.get(target, name)),
  });
}
