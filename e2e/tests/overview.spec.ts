import { expect, type Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { test } from "../look/fixture-test.ts";

test("the overview counts what it knows, filters by its totals, and leads to lists, agents and back by the address", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const counts = page.locator("[data-overview-counts]");
  await expect(counts).toHaveText("108 of 120 environments known · 115 of 120 environments visible to you");
  const worst = page.locator("tr[data-project]").first();
  await expect(worst.locator('[data-health="degraded"]')).toHaveCount(1);
  await expect(worst.locator("[data-drift='↑1']").first()).toHaveAttribute("title", "1 commit ahead of production");
  await page.getByRole("button", { name: /^Needs attention/ }).click();
  await expect(page).toHaveURL(/only=attention/);
  await expect(page.locator("tr[data-project]")).toHaveCount(4);
  await page.getByRole("button", { name: "List" }).click();
  await expect(page.locator("tr[data-environment]")).toHaveCount(4);
  await page.goBack();
  await expect(page.locator("tr[data-project]")).toHaveCount(4);
  await page.goto("/?view=agents");
  await page.getByRole("button", { name: /^edge-asia/ }).click();
  await expect(page).toHaveURL(/view=list&q=edge-asia/);
  await page.getByRole("combobox", { name: "Group by" }).selectOption("owner");
  await expect(
    page
      .locator("tbody tr")
      .filter({ hasText: /^Team \w+ · \w+ \d+ environments$/ })
      .first(),
  ).toBeVisible();
  await page.close();
});

test("a view is saved under a name and opens again", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address });
  await page.goto("/?view=list&q=payments");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("textbox", { name: "Save this view as" }).fill("Payments");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.goto("/");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("button", { name: "Payments", exact: true }).click();
  await expect(page).toHaveURL(/view=list&q=payments/);
  await page.close();
});

test("wall mode is dark, has no bar, shows one problem, and Escape leaves it", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1920, height: 1080 } });
  await page.goto("/?wall=1");
  const wall = page.locator("[data-wall]");
  await expect(wall.getByText(/^Problem \d of 4$/)).toBeVisible();
  expect(await wall.evaluate((element) => getComputedStyle(element).colorScheme)).toBe("dark");
  await page.keyboard.press("Escape");
  await expect(wall).toHaveCount(0);
  await expect(page.locator("tr[data-project]").first()).toBeVisible();
  await page.close();
});

test("of 2,000 environments at most 1,500 elements are in the page, in every view, and a change shows in its cell", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  for (const view of ["matrix", "list", "agents"]) {
    await page.goto(`/g/large?view=${view}`);
    await expect(page.locator("[data-overview-counts]")).toContainText("2000 of 2000 environments known");
    expect(await elementsOf(page)).toBeLessThanOrEqual(1_500);
  }
  await page.goto("/g/large?view=list&q=service-1%20production%20payments");
  await expect(page.locator('tr[data-environment="payments/backend/service-1/production"]')).toBeVisible();
  await page.close();
});

test("a group without environments says so, and axe finds nothing in any view", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address });
  await page.goto("/g/nothing");
  await expect(page.getByText("No environments yet")).toBeVisible();
  for (const address of ["/", "/?view=list&by=tier", "/?view=agents", "/?wall=1"]) {
    await page.goto(address);
    await page.locator("[data-overview-counts], [data-wall]").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.close();
});

function elementsOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("body *").length);
}
