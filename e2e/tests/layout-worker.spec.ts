// needs: control-plane
import type { Page } from "@playwright/test";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

declare global {
  interface Window {
    /** The layout workers of the page, oldest first. */
    layouts: Worker[];
    /** While it is so every layout dies of its first request. */
    layoutsDie: boolean;
  }
}

test("W13: a layout worker that was killed is replaced, and until then the page says that the graph stands still", async ({
  page,
  sandbox,
}) => {
  const { viaKas } = sandbox.endpoints.kubeconfigs;
  const view = new EnvironmentPage(page);
  await watchLayouts(page, false);
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(view.node("Deployment", "web")).toBeVisible();
  await view.mark();
  // It stays silent from now on, which no event tells.
  await page.evaluate(() => window.layouts.at(-1)?.terminate());
  const shown = page.waitForFunction(() => document.body.textContent.includes("layout failed and is being restarted"));
  await kubectl(viaKas, ["create", "configmap", "after-the-kill"]);
  try {
    await shown;
    await expect(view.node("ConfigMap", "after-the-kill")).toBeVisible();
    await expect(page.getByText("layout failed")).toHaveCount(0);
    expect(await page.evaluate(() => window.layouts.length)).toBe(2);
    await view.expectNoReload();
  } finally {
    await kubectl(viaKas, ["delete", "configmap", "after-the-kill"]);
  }
});

test("W13: when no layout stays alive the page says what still works, and draws the graph on retry", async ({ page, sandbox }) => {
  const view = new EnvironmentPage(page);
  await watchLayouts(page, true);
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(page.getByText("List and tree show the current state.")).toBeVisible();
  await page.getByRole("button", { name: "View as tree" }).click();
  await expect(page.getByRole("treeitem", { name: /^Deployment web/ }).first()).toBeVisible();
  await page.getByRole("button", { name: "View as graph" }).click();
  await page.evaluate(() => {
    window.layoutsDie = false;
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(page.getByText("layout failed")).toHaveCount(0);
});

/** Makes the page's workers known to the test, and lets them die of their first request if it says so. */
async function watchLayouts(page: Page, die: boolean): Promise<void> {
  await page.addInitScript((dying) => {
    window.layouts = [];
    window.layoutsDie = dying;
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        window.layouts.push(this);
      }
      override postMessage(message: unknown): void {
        if (window.layoutsDie) this.dispatchEvent(new Event("error"));
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
        else super.postMessage(message);
      }
    };
  }, die);
}
