// needs: control-plane
import { startTcpBalancer, type TcpBalancer } from "@binnacle/testing";
import type { Page } from "@playwright/test";

import { EnvironmentPage } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { freePort } from "../support/free-port.ts";
import { kubectl } from "../support/kubectl.ts";
import { signalProcess } from "../support/process-control.ts";
import { graphUrlAt, signInWithToken, startOtherWeb, type OtherWeb } from "../support/other-dashboard.ts";

let balancer: TcpBalancer;
let webs: readonly OtherWeb[];
let origin: string;

// Not a fixture of the worker: that would begin another worker, and with it another sandbox.
test.beforeAll(async ({ sandbox }) => {
  const ports = [await freePort(), await freePort()];
  balancer = await startTcpBalancer(() => ports.map((port) => `127.0.0.1:${port}`));
  origin = `http://127.0.0.1:${balancer.port}`;
  webs = await Promise.all(ports.map((port) => startOtherWeb(sandbox, { url: origin, port })));
});

test.afterAll(async () => {
  await Promise.all(webs.map((web) => web.stop()));
  await balancer.close();
});

/** Opens the environment in two tabs of one browser, signed in once. */
async function openTwo(page: Page, url: string): Promise<readonly [EnvironmentPage, EnvironmentPage]> {
  const second = await page.context().newPage();
  await second.goto(url);
  const views = [new EnvironmentPage(page), new EnvironmentPage(second)] as const;
  for (const view of views) {
    await expect(view.node("Deployment", "web")).toBeVisible();
    await expect(view.page.getByText("Connected").first()).toBeVisible();
    await view.mark();
  }
  return views;
}

/** Names of all cards, as people hear them, in order. */
async function cardsOf({ page }: EnvironmentPage): Promise<readonly string[]> {
  const names = await page.locator(".react-flow__node").evaluateAll((cards) => cards.map((card) => card.getAttribute("data-id") ?? ""));
  return names.toSorted((one, other) => one.localeCompare(other));
}

test("XM5: signing out in one tab ends both, whichever of two web processes has their stream", async ({ page, sandbox }) => {
  const url = graphUrlAt(sandbox, origin, "production");
  await signInWithToken(page, sandbox, { base: origin, url });
  const [first, second] = await openTwo(page, url);
  await first.page.getByRole("button", { name: "Maintainer" }).click();
  await first.page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(second.page.getByText("Your session ended. Sign in to continue.")).toBeVisible();
  await second.expectNoReload();
  await expect.poll(async () => (await Promise.all(webs.map((web) => web.openStreams()))).reduce((sum, count) => sum + count, 0)).toBe(0);
});

test("one of two web processes is killed while two tabs are open: both go on live, signed in, and show nothing twice", async ({
  page,
  sandbox,
}) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const url = graphUrlAt(sandbox, origin, "production");
  await signInWithToken(page, sandbox, { base: origin, url });
  const views = await openTwo(page, url);
  let before: readonly (readonly string[])[] = [];
  const areSame = async (): Promise<boolean> => {
    before = await Promise.all(views.map(cardsOf));
    return new Set(before.map((cards) => cards.join())).size === 1;
  };
  await expect.poll(areSame, "both have drawn all there is").toBe(true);
  const open = (): Promise<number[]> => Promise.all(webs.map((web) => web.openStreams()));
  await expect.poll(async () => (await open()).toSorted((one, other) => one - other)).toEqual([0, 1]);
  const serving = (await open()).indexOf(1);
  signalProcess(webs[serving]?.pid, "SIGKILL");
  await kubectl(viaKas, ["create", "configmap", "after-the-kill"]);
  try {
    for (const view of views) {
      await expect(view.node("ConfigMap", "after-the-kill")).toHaveCount(1);
      await expect(view.page.getByText("Connected").first()).toBeVisible();
      await view.expectNoReload();
      await expect(view.page).toHaveURL(url);
    }
    await expect.poll(() => webs[1 - serving]?.openStreams()).toBe(1);
    await kubectl(viaKas, ["delete", "configmap", "after-the-kill"]);
    for (const view of views) await expect(view.node("ConfigMap", "after-the-kill")).toHaveCount(0);
    for (const [index, view] of views.entries()) {
      const cards = await cardsOf(view);
      expect(cards.length).toBeGreaterThan(5);
      expect(new Set(cards).size).toBe(cards.length);
      expect(cards).toEqual(before[index]);
    }
    await page.reload();
    await expect(views[0].node("Deployment", "web")).toBeVisible();
  } finally {
    await kubectl(viaKas, ["delete", "configmap", "after-the-kill", "--ignore-not-found"]);
  }
});
