import { expect } from "@playwright/test";

import { test } from "../look/fixture-test.ts";
import { GraphPage } from "../look/graph-page.ts";

/** Too small for the whole graph, which begins at its first cards then. */
const SMALL = { width: 1000, height: 700 };

test("UB5: new cards out of sight are reported by their side, and a click shows them", async ({ browser, pages }) => {
  const graph = await GraphPage.open(browser, "news", { viewport: SMALL, baseURL: pages.address });
  const owner = "statefulset:session-store";
  const fresh = ["session-store-3", "session-store-4"].map((name) => ({ kind: "Pod", name, owner, fact: "0/1 ready" }));
  await expect(graph.card("StatefulSet session-store")).not.toBeInViewport();
  await graph.happens({ nodes: fresh });
  const hint = graph.page.getByRole("button", { name: "2 new cards to the right" });
  await expect(hint).toBeVisible();
  await hint.click();
  for (const { name } of fresh) await expect(graph.card(`Pod ${name}`)).toBeInViewport({ ratio: 0.99 });
  await expect(hint).toBeHidden();
  await graph.page.close();
});

test("a click at the minimap looks there, and a drag follows the pointer", async ({ browser, pages }) => {
  const graph = await GraphPage.open(browser, "map", { viewport: SMALL, baseURL: pages.address });
  const map = graph.page.getByRole("img", { name: "Minimap" });
  const { x, y, width, height } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const first = await graph.view();
  await graph.page.mouse.move(x + width * 0.8, y + height * 0.3);
  expect(await graph.view()).toEqual(first);
  await graph.page.mouse.down();
  await expect.poll(async () => (await graph.view()).x).toBeLessThan(first.x - 500);
  await expect(graph.card("Deployment payments")).toBeInViewport();
  const clicked = await graph.view();
  await graph.page.mouse.move(x + width * 0.3, y + height * 0.8, { steps: 4 });
  await expect.poll(async () => (await graph.view()).x).toBeGreaterThan(clicked.x + 500);
  expect((await graph.view()).y).toBeLessThan(clicked.y);
  expect((await graph.view()).zoom).toBe(first.zoom);
  await graph.page.mouse.up();
  const dragged = await graph.view();
  await graph.page.mouse.move(x + width * 0.5, y + height * 0.5);
  expect(await graph.view()).toEqual(dragged);
  await graph.page.close();
});

test("a link shows where the graph is looked at, in no step of its own, and the view can be moved", async ({ browser, pages }) => {
  const graph = await GraphPage.open(browser, "place", { viewport: SMALL, baseURL: pages.address });
  const { page } = graph;
  const first = await graph.view();
  await expect(page).not.toHaveURL(/[?&]at=/);
  const steps = await page.evaluate(() => history.length);
  await page.mouse.move(700, 400);
  await page.mouse.wheel(300, 100);
  await expect(page).toHaveURL(/[?&]at=[\d.]+,[\d.]+,80$/);
  expect(await page.evaluate(() => history.length)).toBe(steps);
  const [link, moved] = [page.url(), await graph.view()];
  expect(moved.x).toBeLessThan(first.x - 100);

  const query = new URL(link).search.replace("?view=graph", "");
  const other = await GraphPage.open(browser, "place", { viewport: SMALL, baseURL: pages.address, query });
  // Coarse: a tenth of a column and of a row.
  await expect.poll(async () => Math.abs((await other.view()).x - moved.x)).toBeLessThan(28.4 * 0.8);
  expect(Math.abs((await other.view()).y - moved.y)).toBeLessThan(8.8 * 0.8);
  // A click on a card keeps what the link has shown.
  const shown = await other.view();
  await other.card("Deployment checkout").click();
  await expect(other.page).toHaveURL(/sel=/);
  expect((await other.view()).zoom).toBe(shown.zoom);
  // A place is no reason not to fit.
  await other.page.keyboard.press("Escape");
  await other.card("Deployment checkout").locator("[data-node-id]").focus();
  await other.page.keyboard.press("f");
  await expect.poll(async () => (await other.view()).zoom).toBeLessThan(0.6);
  await expect(other.page).not.toHaveURL(/,80(?:&|$)/);
  await expect(other.page).toHaveURL(/[?&]at=/);
  await other.page.close();
  await page.close();
});

test("US9: two steps back, after a reload, from lines of the YAML: each is shown, without a request to the server", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
  await page.goto("/p/harbor/storefront/environments/production?view=list&sel=apps/deployments/shop-prod/checkout");
  await page.getByRole("tab", { name: "YAML" }).click();
  const marked = page.getByRole("region", { name: /^YAML of/ }).locator("[data-marked]");
  const field = page.getByRole("textbox", { name: /^Lines that the link leads to/ });
  for (const lines of ["2", "2-9"]) {
    await field.fill(lines);
    await field.press("Enter");
    await expect(page).toHaveURL(new RegExp(`[?&]line=${lines}(?:&|$)`));
  }
  await page.reload();
  await expect(marked.first()).toBeVisible();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goBack();
  await expect(field).toHaveValue("2");
  await page.goBack();
  await expect(marked).toHaveCount(0);
  await expect(field).toHaveValue("");
  expect(requested.filter((url) => url.includes("environments/production"))).toEqual([]);
  await page.close();
});

test("only what is around a resource, hop by hop, by keys and by the toolbar; the back button undoes, a link and the tree show the same", async ({
  browser,
  pages,
}) => {
  const graph = await GraphPage.open(browser, "focus", { baseURL: pages.address });
  const { page } = graph;
  const count = (): Promise<number> => page.locator("[data-view-version] [data-node-id]").count();
  const whole = await count();
  await graph.card("Deployment checkout").locator("[data-node-id]").focus();
  // Nothing is around anything yet.
  await page.keyboard.press("[");
  await expect(page).not.toHaveURL(/around=/);
  await page.keyboard.press("]");
  await expect(page).toHaveURL(/[?&]around=1,apps\/deployments\/shop-prod\/checkout(?:&|$)/);
  await expect(graph.card("Deployment payments")).toHaveCount(0);
  await expect(graph.card("ReplicaSet checkout-7c9f8d")).toBeInViewport({ ratio: 0.99 });
  const [one, at] = [await count(), await graph.view()];
  expect(one).toBeLessThan(whole / 2);
  await expect(graph.card("Deployment checkout").locator("[data-node-id]")).toBeFocused();
  await page.keyboard.press("]");
  await expect(page).toHaveURL(/[?&]around=2,/);
  await expect.poll(count).toBeGreaterThan(one);
  expect((await graph.view()).zoom).toBe(at.zoom);

  const link = await GraphPage.open(browser, "focus", {
    baseURL: pages.address,
    query: new URL(page.url()).search.replace("?view=graph", ""),
  });
  await expect(link.page.getByRole("group", { name: "Only neighbours of Deployment checkout" })).toContainText("Neighbours (2 steps)");
  await expect.poll(() => link.page.locator("[data-view-version] [data-node-id]").count()).toBe(await count());
  await link.page.getByRole("button", { name: "View as tree" }).click();
  await expect(link.page.getByRole("treeitem", { name: /^Deployment checkout / })).toBeVisible();
  await expect(link.page.getByRole("treeitem", { name: /^Deployment payments / })).toHaveCount(0);
  await link.page.close();

  await page.goBack();
  await expect.poll(count).toBe(one);
  await page.goBack();
  await expect.poll(count).toBe(whole);
  await page.goForward();
  await expect.poll(count).toBe(one);
  await graph.card("Deployment checkout").locator("[data-node-id]").focus();
  await page.keyboard.press("[");
  await expect.poll(count).toBe(whole);

  await expect(page.getByRole("button", { name: "Neighbours", exact: true })).toHaveCount(0);
  await graph.card("Deployment payments").click();
  // On the canvas, which the toolbar may push down.
  const height = async (): Promise<number> => {
    const [card, canvas] = await Promise.all([
      graph.card("Deployment payments").boundingBox(),
      page.locator("[data-detail]").boundingBox(),
    ]);
    return Math.round((card?.y ?? 0) - (canvas?.y ?? 0));
  };
  await expect(page.getByRole("complementary")).toBeVisible();
  const before = await height();
  await page.getByRole("button", { name: "Neighbours", exact: true }).press("Enter");
  await expect(graph.card("Deployment checkout")).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Only neighbours of Deployment payments" })).toBeFocused();
  // It is the first of the smaller picture, and stays where it was; sideways the view goes on to what else fits.
  expect(await height()).toBe(before);
  await page.getByRole("button", { name: "One step more" }).click();
  await expect(page).toHaveURL(/[?&]around=2,/);
  await page.getByRole("button", { name: "Show everything" }).press("Enter");
  await expect.poll(count).toBe(whole);
  await expect(page.getByRole("button", { name: "Neighbours", exact: true })).toBeFocused();

  // The palette offers both, each where it acts.
  for (const [command, cards] of [
    ["Graph: only the neighbours of the open resource", 0],
    ["Graph: show everything again", 1],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill(command);
    await expect(page.getByRole("option", { name: command })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(graph.card("Deployment checkout")).toHaveCount(cards);
  }
  await page.close();
});

test("around a missing resource the graph is empty, with a message; what leaves is missed, what comes back is shown", async ({
  browser,
  pages,
}) => {
  const graph = await GraphPage.open(browser, "focus-gone", { baseURL: pages.address });
  const { page } = graph;
  const name = "passing-by";
  await graph.happens({ nodes: [{ kind: "ConfigMap", name }] });
  await graph.card(`ConfigMap ${name}`).locator("[data-node-id]").focus();
  await page.keyboard.press("]");
  await expect(graph.card("Deployment checkout")).toHaveCount(0);
  await graph.happens({ gone: [`configmap:${name}`] });
  await expect(page.getByText(`ConfigMap ${name} is not in this view, so its neighbours are not shown.`)).toBeVisible();
  await graph.happens({ nodes: [{ kind: "ConfigMap", name }] });
  await expect(graph.card(`ConfigMap ${name}`)).toBeVisible();
  await graph.happens({ gone: [`configmap:${name}`] });
  await page.getByRole("main").getByRole("button", { name: "Show everything" }).first().click();
  await expect(graph.card("Deployment checkout")).toBeVisible();
  await expect(page).not.toHaveURL(/around=/);
  await page.close();
});
