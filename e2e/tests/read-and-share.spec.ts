import { readFile } from "node:fs/promises";

import { expect, type Page } from "@playwright/test";

import { test } from "../look/fixture-test.ts";

const ENVIRONMENT = "/p/harbor/storefront/environments/production";

/** How many rows a page says that it has. */
async function countOf(page: Page): Promise<number> {
  return Number(/of (\d+) environments/.exec((await page.locator("main").textContent()) ?? "")?.[1]);
}

test("the index goes to paper whole, with its bars, of when it is and by what it is filtered", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/p/harbor/many/environments");
  const rows = page.locator("tr[data-environment]");
  await expect.poll(() => countOf(page)).toBeGreaterThan(100);
  const count = await countOf(page);
  await expect.poll(() => rows.count(), "the screen is a window").toBeLessThan(60);
  await page.emulateMedia({ media: "print" });
  await expect(rows).toHaveCount(count);
  await expect(page.locator('[data-printed="head"]')).toContainText(/harbor\/many.*No filter.*As of \d+ \w+ \d{4}, \d\d:\d\d:\d\d/);
  await expect(page.getByRole("search")).toBeHidden();
  const ready = rows
    .filter({ hasText: /\d of \d/ })
    .last()
    .locator("td")
    .nth(1);
  expect((await ready.locator("span").first().boundingBox())?.width, "its bar").toBeGreaterThan(20);
  await page.emulateMedia({ media: "screen" });
  await expect.poll(() => rows.count()).toBeLessThan(60);
  await expect(page.locator('[data-printed="head"]')).toHaveCount(0);

  await page.goto("/p/harbor/storefront/environments?view=issues&q=checkout");
  const lines = page.locator("[data-issue]");
  await expect(lines.first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.locator('[data-printed="head"]')).toContainText("Search: checkout");
  await expect(page.locator("main")).toContainText(`${await lines.count()} of `);
  await page.close();
});

test("what is folded on the screen is on paper: every issue, who has it, what is not counted and the end of long texts", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto(`${ENVIRONMENT}?view=summary`);
  const [folds, texts] = [page.locator("main details:has([data-uncounted]), main [data-why] details"), page.locator("[data-why] .linkish")];
  await expect(folds.first()).toBeVisible();
  await expect(texts.first()).toHaveText("more");
  for (const fold of await folds.all()) await expect(fold).not.toHaveAttribute("open");
  await page.emulateMedia({ media: "print" });
  for (const fold of await folds.all()) await expect(fold).toHaveAttribute("open");
  await expect(page.locator("[data-uncounted]").first()).toBeVisible();
  await expect(texts).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });
  for (const fold of await folds.all()) await expect(fold).not.toHaveAttribute("open");

  await page.goto("/p/harbor/storefront/environments/load-5000?view=summary");
  const more = page.getByRole("button", { name: /^Show \d+ more issues$/ });
  const hidden = Number(/\d+/.exec((await more.textContent()) ?? "")?.[0]);
  const shown = await page.locator("[data-why]").count();
  await page.emulateMedia({ media: "print" });
  await expect(page.locator("[data-why]")).toHaveCount(shown + hidden);
  await page.close();
});

test("every event goes to paper, those that are folded and those off the screen, with how many there would be", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/p/harbor/storefront/environments/load-500?view=events");
  const lines = page.locator("li[aria-posinset] time");
  await expect(lines.first()).toBeVisible();
  await expect.poll(() => lines.count(), "the screen is a window").toBeLessThan(100);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => lines.count()).toBeGreaterThanOrEqual(500);
  await expect(page.locator("main")).toContainText("The newest 500 of 1234 events");
  await expect(page.getByRole("button", { name: /^\d+ more$/ })).toHaveCount(0);
  const [first, last] = [await lines.first().boundingBox(), await lines.last().boundingBox()];
  expect((last?.y ?? 0) - (first?.y ?? 0), "one below the other, over many sheets").toBeGreaterThan(10_000);
  await page.close();
});

test("the tree goes to paper as it is unfolded, also what is off the screen", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/p/harbor/storefront/environments/load-500?view=graph&as=tree");
  const rows = page.getByRole("treeitem");
  await expect(rows.first()).toBeVisible();
  const [shown, height] = [await rows.count(), await page.getByRole("tree").evaluate((tree) => tree.clientHeight)];
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => rows.count()).toBeGreaterThan(shown);
  expect(await page.getByRole("tree").evaluate((tree) => tree.clientHeight)).toBe(height);
  const tops = await rows.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(tops, "one below the other").toEqual(tops.toSorted((one, other) => one - other));
  expect(new Set(tops).size).toBe(tops.length);
  await page.close();
});

test("a graph that is as wide as the screen is as high as the sheet on paper", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto(`${ENVIRONMENT}?view=graph`);
  await expect(page.locator("[data-node-id]").first()).toBeVisible();
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: "print" });
  const drawing = page.locator('[data-printed="graph"] svg');
  const { width, height } = (await drawing.boundingBox()) ?? { width: 0, height: 0 };
  expect(width).toBeGreaterThan(600);
  expect(height / width, "a sheet is 1.4 times as high as wide").toBeGreaterThan(0.8);
  expect(height, "what is higher than a sheet is cut, or left for the next").toBeLessThanOrEqual(900);

  // As a browser prints: it takes the page as it is when its listeners have returned.
  await page.emulateMedia({ media: null });
  await expect(drawing).toHaveCount(0);
  const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type \/Page\b/g);
  expect(sheets).toHaveLength(1);
  await page.close();
});

test("an index that is held says so, in its title too, stands still, and goes on", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address });
  await page.goto("/p/harbor/storefront/environments");
  await page.getByRole("button", { name: "Pause updates" }).click();
  await expect(page.locator("[data-held]")).toContainText(/^Paused since \d\d:\d\d:\d\d: /);
  await expect(page).toHaveTitle(/^Paused · /);
  await expect(page.locator("main h1 + p")).toHaveText(/^As of \d\d:\d\d:\d\d, paused: \d+ environments/);
  await expect(page.locator("main .live")).toHaveCount(0);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.locator("[data-held]")).toHaveCount(0);
  await expect(page).toHaveTitle(/^(?!Held)/);
  await page.close();
});

test("a view is saved under a name, is in the row after a reload, opens, gets another name and is deleted", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto(`${ENVIRONMENT}?view=list&problems=1&sel=apps/deployments/shop-prod/checkout`);
  const row = page.getByRole("navigation", { name: "Your views" });
  const panel = page.getByRole("dialog", { name: "Your views" });
  const open = () => page.getByRole("button", { name: "Views", exact: true }).click();
  await open();
  await panel.getByRole("textbox", { name: "Name of this view" }).fill("  What  is broken ");
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await expect(panel.getByText("Saved “What is broken”.")).toBeVisible();

  await page.goto(`${ENVIRONMENT}?view=list`);
  await page.reload();
  await expect(row.getByRole("link")).toHaveText(["What is broken"]);
  await row.getByRole("link", { name: "What is broken" }).click();
  await expect(page, "what is selected beside a view is no part of it").toHaveURL(/\?view=list&problems=1$/);

  await open();
  await panel.getByRole("button", { name: "Rename What is broken" }).click();
  await panel.getByRole("textbox", { name: "Another name for What is broken" }).fill("Broken");
  await panel.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(panel.getByText("Renamed to “Broken”.")).toBeVisible();
  await expect(row.getByRole("link")).toHaveText(["Broken"]);
  await panel.getByRole("button", { name: "Delete Broken" }).click();
  await expect(panel.getByText("Deleted “Broken”.")).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("navigation", { name: "Views of the team" })).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.close();
});

test("issues that are unfolded are in the address: a link shows the same, and the back button undoes", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address });
  await page.goto(`${ENVIRONMENT}?view=summary`);
  const uncounted = page.locator("details").filter({ hasText: "Not counted" });
  const members = page.locator("[data-why] details").first();
  await uncounted.locator("summary").click();
  await expect(page).toHaveURL(/unfolded=uncounted$/);
  await members.locator("summary").click();
  await expect(page).toHaveURL(/unfolded=uncounted,/);
  const link = page.url();
  await page.goBack();
  await expect(members).not.toHaveAttribute("open");
  await expect(uncounted).toHaveAttribute("open");
  await page.goBack();
  await expect(uncounted).not.toHaveAttribute("open");
  await page.goto(link);
  for (const part of [uncounted, members]) await expect(part).toHaveAttribute("open");

  await page.goto("/p/harbor/storefront/environments?view=issues");
  await page.locator("[data-issue] h2 a").first().click();
  await expect(page, "it may not be among the first").toHaveURL(/view=summary&unfolded=issues/);
  await page.close();
});

test("a file of issues holds what the filter shows, in its order, and says which filter", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address });
  await page.goto(`${ENVIRONMENT}?view=summary&q=checkout&order=newest&unfolded=issues`);
  const shown = page.locator("[data-why] h4");
  await expect(page.getByText(/^1 of \d+ shown/)).toBeVisible();
  const titles = await shown.allTextContents();
  await page.locator('[data-export="issues"]').click();
  const panel = page.getByRole("list", { name: "What is in it" });
  await expect(panel).toContainText("Search: checkout; Newest first");
  await expect(panel).toContainText(/\d+ issues? (?:is|are) hidden by filters/);
  const read = async (format: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-format="${format}"]`).click()]);
    return readFile(await download.path(), "utf8");
  };
  const file = JSON.parse(await read("json")) as {
    readonly filters: readonly string[];
    readonly rows: readonly { readonly issue: string }[];
  };
  expect(file.filters).toEqual(["Search: checkout", "Newest first"]);
  expect(file.rows.map(({ issue }) => issue)).toEqual(titles);
  const lines = (await read("csv")).trim().split("\r\n");
  expect(lines[0]).toMatch(/,Filter: Search: checkout; Newest first$/);
  expect(lines).toHaveLength(titles.length + 1);
  await page.close();
});

test("US12: names of events are links that open beside, in another tab, and can be copied", async ({ browser, pages }) => {
  const page = await browser.newPage({ baseURL: pages.address });
  await page.goto(`${ENVIRONMENT}?view=events`);
  const name = page.getByRole("region", { name: "Events by workload" }).getByRole("heading").first().getByRole("link");
  const href = (await name.getAttribute("href")) ?? "";
  const [tab] = await Promise.all([page.context().waitForEvent("page"), name.click({ modifiers: ["ControlOrMeta"] })]);
  await expect(tab.getByRole("tab", { name: "Events" })).toHaveAttribute("aria-selected", "true");
  expect(tab.url()).toContain(href);
  await expect(page).not.toHaveURL(/sel=/);
  await name.click();
  await expect(page).toHaveURL(/sel=/);
  await page.close();
});
