import { mkdirSync, readdirSync } from "node:fs";

import { expect, type Locator, type Page } from "@playwright/test";

import { openFixturePages } from "../look/fixture-pages.ts";
import { test } from "../look/fixture-test.ts";
import { mainTurnsOf } from "../look/looks.ts";
import { testScreens } from "../look/screen-tests.ts";

testScreens("light and dark, on a phone and on a laptop in turn", mainTurnsOf);

test("a reader and the keyboard alone lead from the index to the environment, its reasons, the resource and its YAML", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/?view=projects");
  const project = page.locator('[data-project="harbor/storefront"]');
  await expect(project, "S12: a project says how it is").toContainText(/Degraded.*6 environments, 2 need attention/);
  await press(page, project.getByRole("link"));
  await page.locator("tr[data-environment]").first().waitFor();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Resource, kind, environment or action" })).toBeFocused();
  await page.keyboard.type("checkout");
  await expect(page.getByRole("option", { name: /Deployment in staging/ }).first(), "S12: of any environment").toBeVisible();
  await expect(page.getByText("Not searched, as the server holds no resources of them: integration.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - heading "Environments" [level=1]
    - search "Environments"
    - table "Environments, worst first"
  `);
  await press(page, page.getByRole("link", { name: "production", exact: true }));
  await expect(page.getByRole("heading", { level: 1, name: "production" })).toBeVisible();
  const state = page.getByRole("group", { name: "Environment state" });
  await expect(state).toContainText(/Health.*Degraded.*Connection.*Connected/);
  await expect(state.getByRole("button", { name: /^Access Partial/ })).toBeVisible();
  await press(page, page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Summary" }));
  await expect(page.getByRole("heading", { level: 2, name: /4 of 23 checked resources are degraded/ })).toBeVisible();
  const why = page.getByRole("region", { name: "Why" }).or(page.getByRole("main"));
  await expect(why.getByRole("heading", { level: 4, name: "Deployment checkout: ConfigMap checkout-flags does not exist" })).toBeVisible();
  await press(page, page.getByRole("link", { name: "Show in graph (Deployment checkout)" }));
  const drawer = page.getByRole("complementary").or(page.getByRole("dialog"));
  await expect(drawer.getByRole("heading", { level: 2, name: /checkout/ })).toBeVisible();
  await press(page, drawer.getByRole("tab", { name: "YAML" }));
  await expect(drawer.getByRole("tabpanel")).toContainText("kind: Deployment");
  await page.close();
});

test("a graph of hundreds, seen from afar, is one tab stop that says what is in it; the keys go on, to a card and into its drawer", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/p/harbor/storefront/environments/load-5000?view=graph");
  const graph = page.getByRole("group", { name: /^Graph: \d+ resources, \d+ with problems/ });
  await graph.locator("[data-node-id][tabindex='0']").focus();
  await expect(async () => {
    await page.keyboard.press("-");
    await expect(graph).toHaveAttribute("data-detail", "far", { timeout: 100 });
  }).toPass();
  // The card that had the focus is not in the page any more.
  await expect(graph).toBeFocused();
  await page.keyboard.press("ArrowRight");
  const card = graph.locator("[data-node-id]:focus");
  await expect(card).toHaveAccessibleName(/ in load, .*\d+ lines? in, \d+ out$/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/sel=/);
  await page.close();
});

test("US14: on a phone an address without a view is the list, as cards, whose names and states are not cut; times are of UTC for who says so", async ({
  browser,
  pages,
}) => {
  const context = await browser.newContext({ baseURL: pages.address, viewport: { width: 390, height: 844 }, timezoneId: "Asia/Tokyo" });
  const page = await context.newPage();
  await page.goto("/p/harbor/storefront/environments/production");
  await expect(page).toHaveURL(/view=list$/);
  const row = page.locator("[data-node-id]", { hasText: "recommendations" }).first();
  for (const words of ["recommendations", "Degraded"]) await expect(row.getByText(words).first()).toBeInViewport({ ratio: 1 });
  await page.goto("/p/harbor/storefront/environments/production?view=summary");
  const since = page.getByText(/^since \d\d:\d\d:\d\d/).first();
  await expect(since).toHaveText(/\d$/);
  await expect(since).toHaveAttribute("title", /GMT\+9$/);
  await page.getByRole("button", { name: "Mara Lindqvist" }).click();
  await page.getByRole("group", { name: "Times" }).getByRole("button", { name: "UTC", exact: true }).click();
  await expect(since).toHaveText(/ UTC$/);
  await expect(since).toHaveAttribute("title", / UTC$/);
  await page.reload();
  await expect(since).toHaveText(/ UTC$/);
  await context.close();
});

test("S9: at 200 % and on a phone the header of an environment is one line above the tabs, and nothing covers the number of issues", async ({
  browser,
  pages,
}) => {
  for (const viewport of [
    { width: 720, height: 450 },
    { width: 390, height: 844 },
  ]) {
    const page = await browser.newPage({ baseURL: pages.address, viewport });
    await page.goto("/p/harbor/storefront/environments/production?view=summary");
    await expect(page.locator('[data-connection="live"]')).toBeVisible();
    const content = await page.getByRole("main").boundingBox();
    expect(content?.y, "pixels above the content").toBeLessThanOrEqual(130);
    const title = await page.getByRole("heading", { level: 3, name: "Why" }).evaluate((heading) => {
      const text = document.createRange();
      text.selectNodeContents(heading);
      return { right: text.getBoundingClientRect().right, next: heading.nextElementSibling?.getBoundingClientRect().left ?? 0 };
    });
    expect(title.right).toBeLessThanOrEqual(title.next);
    await page.close();
  }
});

test("S10: from the index of a project to the YAML of a failing pod in 12 keys; each navigation leaves the focus where keys act", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/p/harbor/storefront/environments");
  await expect(page.locator("tr[data-environment][data-knowledge=fresh]").first()).toBeVisible();
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    keys += 1;
    await page.keyboard.press(key);
  };
  await press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await press("Enter");
  await expect(page.locator("tr[data-environment] a:focus")).toHaveCount(1);
  await press("Enter");
  await expect(page.locator("[data-node-id]:focus, [data-why] :focus")).toHaveCount(1);
  await press("g");
  await press("l");
  const row = page.locator("[role=row][data-node-id]:focus");
  await expect(row).toHaveCount(1);
  const idOfRow = async (): Promise<string> => (await row.getAttribute("data-node-id")) ?? "";
  let pod = await idOfRow();
  for (let steps = 0; !pod.startsWith("/Pod/") && steps < 7; steps += 1) {
    await press("n");
    await expect(row).not.toHaveAttribute("data-node-id", pod);
    pod = await idOfRow();
  }
  await press("y");
  await expect(page).toHaveURL(/sel=core\/pods\/.*tab=yaml/);
  await expect(page.getByRole("tabpanel")).toContainText("kind: Pod");
  expect(keys).toBeLessThanOrEqual(12);
  await page.keyboard.press("Escape");
  await expect(row).toHaveAttribute("data-node-id", pod);
  await page.keyboard.type("gg");
  await expect(page.locator("[data-node-id]:focus")).toHaveCount(1);
  await page.close();
});

test("41 resources of a staging environment are seen whole at 1440 by 900, with names of at least 11 pixels and nothing folded", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/p/harbor/storefront/environments/fits?view=graph");
  const graph = page.getByRole("group", { name: /^Graph: 41 resources/ });
  const cards = graph.locator("button[data-node-id]");
  await expect(cards).toHaveCount(41);
  const canvas = await graph.boundingBox();
  const legend = await page.getByRole("toolbar", { name: "Edges and zoom" }).boundingBox();
  if (canvas === null || legend === null) throw new Error("the graph is not on the screen");
  const seen = await cards.evaluateAll((found) =>
    found.map((card) => {
      const { left, top, right, bottom } = card.getBoundingClientRect();
      const name = card.querySelector("[class*=name]");
      const scale = (right - left) / (card instanceof HTMLElement ? card.offsetWidth : 1);
      return { left, top, right, bottom, font: name === null ? 0 : Number.parseFloat(getComputedStyle(name).fontSize) * scale };
    }),
  );
  expect(Math.min(...seen.map(({ left }) => left))).toBeGreaterThanOrEqual(canvas.x);
  expect(Math.max(...seen.map(({ right }) => right))).toBeLessThanOrEqual(canvas.x + canvas.width);
  expect(Math.min(...seen.map(({ top }) => top))).toBeGreaterThanOrEqual(canvas.y);
  expect(Math.max(...seen.map(({ bottom }) => bottom))).toBeLessThanOrEqual(legend.y);
  expect(Math.min(...seen.map(({ font }) => font))).toBeGreaterThanOrEqual(11);
  await page.close();
});

test("US15: where colours are forced, what is pressed and the tab that is shown look different from the others", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, forcedColors: "active" });
  await page.goto("/p/harbor/storefront/environments/production?view=graph");
  const look = (name: string) =>
    page.getByRole("button", { name, exact: true }).evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect(page.getByRole("button", { name: "Default", exact: true })).toHaveAttribute("aria-pressed", "true");
  expect(await look("Default")).not.toBe(await look("Ownership"));
  const line = (name: RegExp) =>
    page
      .getByRole("navigation", { name: "Views" })
      .getByRole("link", { name })
      .evaluate((link) => getComputedStyle(link).borderBottomColor);
  expect(await line(/^Graph/)).not.toBe(await line(/^List/));
  await page.close();
});

test("made-up pages end on request, and their copy of the build goes with them", async () => {
  const folder = test.info().outputPath("temporary");
  mkdirSync(folder, { recursive: true });
  const pages = await openFixturePages("en", { TMPDIR: folder });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^binnacle-pages-/)]);
  await pages.close();
  expect(readdirSync(folder)).toEqual([]);
});

/** As who has no pointer. */
async function press(page: Page, control: Locator): Promise<void> {
  await control.focus();
  await page.keyboard.press("Enter");
}
