import type { Page } from "@playwright/test";

import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

declare global {
  interface Window {
    /** Elements that cannot be made: React meets the error where it puts them together. Empty: all can. */
    broken: string;
  }
}

/** Lets the page's scripts fail in whatever makes an element that the selector means. */
async function breakable(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.broken = "";
    // It is called with the node that it belongs to.
    // oxlint-disable-next-line typescript/unbound-method
    // oxlint-disable-next-line typescript/unbound-method -- called with its element below
    const append = Node.prototype.appendChild;
    Node.prototype.appendChild = function appendChild<T extends Node>(this: Node, child: T): T {
      if (window.broken !== "" && child instanceof Element && child.matches(window.broken)) throw new Error("the valve is stuck");
      return append.call<Node, [T], T>(this, child);
    };
  });
}

const PARTS = [
  { what: "The graph", view: "graph", broken: "[data-view-version], .react-flow, .react-flow *" },
  { what: "The list", view: "list", broken: '[role="row"]' },
  { what: "The summary", view: "summary", broken: "tr[data-node-id]" },
] as const;

for (const { what, view, broken } of PARTS) {
  test(`W12: an error in ${what.toLowerCase()} leaves header, drawer and the other views alive, and a later try shows it`, async ({
    page,
    sandbox,
  }) => {
    const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
    const first = view === "list" ? "summary" : "list";
    const url = `${graphUrl(sandbox, "production").replace("view=graph", `view=${first}`)}&sel=apps/deployments/${namespace}/web`;
    await breakable(page);
    await signIn(page, sandbox, { username: "maintainer", url });
    await page.goto(url);
    const header = new EnvironmentPage(page);
    const drawer = page.getByRole("complementary", { name: "Deployment web" });
    await expect(drawer).toBeVisible();
    await header.mark();
    await page.evaluate((selector) => {
      window.broken = selector;
    }, broken);
    await page.getByRole("link", { name: `${view.charAt(0).toUpperCase()}${view.slice(1)}` }).click();
    const alert = page.getByRole("alert").filter({ hasText: `${what} stopped: an error in Binnacle.` });
    await expect(alert).toBeVisible();
    await expect(alert).toContainText("the valve is stuck");
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    await expect(header.health).toHaveAttribute("data-health", /.+/);
    await expect(drawer).toBeVisible();
    await page.evaluate(() => {
      window.broken = "";
    });
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.locator("[data-node-id]").first()).toBeVisible();
    await header.expectNoReload();
  });
}

test("W12: an error in the drawer leaves header and list alive, and it can be closed", async ({ page, sandbox }) => {
  const url = graphUrl(sandbox, "production").replace("view=graph", "view=list");
  await breakable(page);
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.goto(url);
  const view = new EnvironmentPage(page);
  const row = page.getByRole("row").filter({ hasText: "web" }).first();
  await expect(row).toBeVisible();
  await view.mark();
  await page.evaluate(() => {
    window.broken = '[role="tab"]';
  });
  await row.getByText("web", { exact: true }).first().click();
  await expect(page.getByRole("alert").filter({ hasText: "The details stopped: an error in Binnacle." })).toBeVisible();
  await expect(row).toBeVisible();
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(view.health).toHaveAttribute("data-health", /.+/);
  await page.getByRole("complementary", { name: "Resource" }).getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The details stopped" })).toHaveCount(0);
  await view.expectNoReload();
});
