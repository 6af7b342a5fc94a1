import { readFile } from "node:fs/promises";

import { expect, type Browser, type Locator, type Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { test } from "../look/fixture-test.ts";
import { measureFlood } from "../look/log-flood.ts";

const ENVIRONMENTS = "/p/harbor/storefront/environments";
const LAPTOP = { width: 1440, height: 900 };

interface LogPage {
  readonly page: Page;
  readonly grid: Locator;
  readonly lines: Locator;
}

async function openLogs(browser: Browser, baseURL: string, path: string): Promise<LogPage> {
  const page = await browser.newPage({ baseURL, viewport: LAPTOP });
  await page.goto(`${ENVIRONMENTS}/${path}`);
  const lines = page.locator("[data-line]");
  await expect(lines.first()).toBeVisible();
  return { page, grid: page.getByRole("grid", { name: "Log lines" }), lines };
}

const countOf = async (page: Page): Promise<number> => Number(await page.locator("[data-count]").getAttribute("data-count"));
const distanceToEnd = (grid: Locator): Promise<number> =>
  grid.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

test("lines of many pods come merged by time, each with its source, and the end stays in sight while it follows", async ({
  browser,
  pages,
}) => {
  const { page, grid, lines } = await openLogs(browser, pages.address, "production?view=logs");
  const before = await countOf(page);
  await expect.poll(() => countOf(page), "new lines come").toBeGreaterThan(before);
  expect(await distanceToEnd(grid)).toBeLessThan(10);
  const seen = await lines
    .locator('[role="gridcell"]:nth-child(2)')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("title") ?? ""));
  expect(seen.length).toBeGreaterThan(20);
  expect(seen).toEqual(seen.toSorted());
  await expect(lines.first().getByRole("gridcell").nth(2)).toHaveAttribute("title", /^shop-prod\/[\w-]+\/(app|proxy)$/);
  expect(await lines.count(), "only those in sight are in the page").toBeLessThan(120);
  await page.close();
});

test("scrolling up pauses, new lines are counted, and a press goes to the end", async ({ browser, pages }) => {
  const { page, grid } = await openLogs(browser, pages.address, "production?view=logs");
  await expect.poll(() => countOf(page)).toBeGreaterThan(1_000);
  await grid.hover();
  await page.mouse.wheel(0, -600);
  const fresh = page.getByRole("button", { name: /^\d+ new lines?$/ });
  await expect(fresh).toBeVisible();
  const [top, count] = [await grid.evaluate(({ scrollTop }) => scrollTop), await countOf(page)];
  const waiting = Number(await fresh.getAttribute("data-fresh"));
  await expect.poll(async () => Number(await fresh.getAttribute("data-fresh"))).toBeGreaterThan(waiting);
  expect(await grid.evaluate(({ scrollTop }) => scrollTop), "what is read does not move").toBe(top);
  expect(await countOf(page)).toBe(count);
  await fresh.click();
  await expect(fresh).toBeHidden();
  await expect.poll(() => distanceToEnd(grid)).toBeLessThan(10);
  expect(await countOf(page)).toBeGreaterThan(count);
  await page.close();
});

test("a search marks what it finds, goes from match to match, hides nothing, and leaves out other lines only on request", async ({
  browser,
  pages,
}) => {
  const { page, lines } = await openLogs(browser, pages.address, "production?view=logs");
  await page.keyboard.press("/");
  await page.keyboard.type("PAYMENTS");
  const search = page.getByRole("search", { name: "Search and choose log lines" });
  await expect(search).toContainText(/\d+ matches/);
  await expect(page.locator("[data-line] mark").first()).toHaveText("payments");
  await expect(lines.filter({ hasText: "GET /healthz" }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(search).toContainText(/\d+ of \d+/);
  await expect(page.getByRole("button", { name: /Follow/ }), "a match that is read does not move away").toBeVisible();
  await expect(page).toHaveURL(/find=PAYMENTS/);
  await search.getByRole("button", { name: "Match case" }).click();
  await expect(search).toContainText("No match");
  await search.getByRole("button", { name: "Match case" }).click();
  await search.getByRole("button", { name: "Only matches" }).click();
  await expect(page.locator("[data-line][data-context]").first()).toBeVisible();
  await expect(page.locator("[data-line][data-context] mark")).toHaveCount(0);
  await expect(page.locator("[data-left-out]").first()).toBeVisible();
  const context = search.getByRole("combobox", { name: "Lines before and after each match" });
  await expect(context).toHaveValue("2");
  const lineOf = async (of: Locator): Promise<number> => Math.round((await of.boundingBox())?.y ?? -1);
  const wrap = search.getByRole("button", { name: "Wrap" });
  await expect(
    async () => expect(Math.abs((await lineOf(wrap)) - (await lineOf(context)))).toBeLessThan(8),
    "one line of tools at 1440 px",
  ).toPass();
  await context.selectOption("0");
  await expect(page).toHaveURL(/context=0/);
  await expect(page.locator("[data-line][data-context]")).toHaveCount(0);
  await expect(lines.filter({ hasText: "GET /healthz" })).toHaveCount(0);
  await expect(page.locator("[data-left-out]")).toHaveCount(0);
  await expect(lines.filter({ hasText: "payments" }).first()).toBeVisible();
  await search.getByRole("button", { name: "Only matches" }).click();
  expect(page.workers(), "text needs no thread").toEqual([]);
  await search.getByRole("button", { name: "Regular expression" }).click();
  const field = search.getByRole("searchbox");
  await field.fill("attempt [0-3]\\)");
  await expect(page.locator("[data-line] mark").first()).toHaveText(/^attempt [0-3]\)$/);
  await expect(search).toContainText(/\d+ matches/);
  expect(page.workers(), "expressions run beside the page").toHaveLength(1);
  await field.fill("attempt (");
  await expect(search).toContainText(/This expression cannot be used: .*missing/);
  await page.close();
});

test("levels, containers, time and an earlier run are chosen in the address, and where nothing is found it shows how much was read", async ({
  browser,
  pages,
}) => {
  const { page, lines } = await openLogs(browser, pages.address, "production?view=logs&level=error");
  await expect(lines.first()).toHaveAttribute("data-level", "error");
  await expect(page.locator('[data-line]:not([data-level="error"])')).toHaveCount(0);
  await page.getByRole("combobox", { name: "Since" }).selectOption("5m");
  await expect(page).toHaveURL(/since=5m/);
  await expect(lines.first()).toBeVisible();
  await page.goto(`${ENVIRONMENTS}/production?view=logs&find=zzzz&match=only&tail=200`);
  await expect(page.getByRole("status").filter({ hasText: /No line matches. \d+ lines were read/ })).toBeVisible();
  await page.getByRole("button", { name: "Read all lines" }).click();
  await expect(page).toHaveURL(/tail=all/);
  await page.close();
});

test("hostile text is text: HTML is not parsed, what cannot be seen has a mark, colours are those of the theme", async ({
  browser,
  pages,
}) => {
  const { page, lines } = await openLogs(browser, pages.address, "production?view=logs");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const hostile = lines.filter({ hasText: "not HTML" }).first();
  await expect(hostile).toContainText('<script>alert("not HTML")</script> ⟨U+202E⟩decoded backwards⟨U+202C⟩ and a bell ⟨U+0007⟩');
  expect(await page.locator("[data-log] script").count()).toBe(0);
  const error = lines.filter({ hasText: "connection refused" }).first();
  await expect(error).not.toContainText("[1;31m");
  const red = await error.getByText("ERROR", { exact: true }).evaluate((element) => getComputedStyle(element).color);
  expect(red).toBe("rgb(163, 38, 47)");
  await page.close();
});

test("by the keyboard alone a line is found, opened, chosen with others and copied; a link shows the same line", async ({
  browser,
  pages,
}) => {
  const context = await browser.newContext({
    baseURL: pages.address,
    viewport: LAPTOP,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  await page.goto(`${ENVIRONMENTS}/production?view=list&sel=core/pods/shop-prod/checkout-7c9f8d-x2lq4`);
  await expect(page.getByRole("tab", { name: "Logs" })).toBeVisible();
  await page.keyboard.press("l");
  await expect(page.getByRole("tab", { name: "Logs" })).toHaveAttribute("aria-selected", "true");
  const grid = page.getByRole("grid", { name: "Log lines" });
  await expect(page.locator("[data-line]").first()).toBeVisible();
  await grid.focus();
  await page.keyboard.press("Home");
  const current = grid.locator('[role="row"][id]');
  const active = async (): Promise<Locator> => {
    await expect(grid).toHaveAttribute("aria-activedescendant", /./);
    return page.locator(`[id="${(await grid.getAttribute("aria-activedescendant")) ?? ""}"]`);
  };
  await expect(await active()).toBeVisible();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(current.and(page.locator('[aria-selected="true"]'))).toHaveCount(3);
  await page.keyboard.press("Control+c");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n")).toHaveLength(3);
  expect(copied).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z shop-prod\/checkout-7c9f8d-x2lq4\/(app|proxy) /);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copy link to this line" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const text = await (await active()).getByRole("gridcell").first().locator("xpath=..").getAttribute("data-line");
  expect(text).not.toBeNull();
  expect(link).toMatch(/at-line=shop-prod\/checkout-7c9f8d-x2lq4\/(app|proxy)(%40|@)\d+/);
  // These pages have no WebSockets: a browser reads one log at a time.
  await page.close();
  const other = await context.newPage();
  await other.goto(link);
  const nanos = /(?:%40|@)(\d+)/.exec(link)?.[1] ?? "";
  const opened = other.locator("[data-line]", { has: other.getByRole("button", { name: "Copy link to this line" }) });
  await expect(opened).toBeInViewport();
  await expect(opened.getByRole("gridcell").nth(1)).toHaveAttribute("title", new RegExp(`${nanos.slice(-9)}Z$`));
  await context.close();
});

test("every line of the choice is downloaded, not only those that the page retains", async ({ browser, pages }) => {
  const { page } = await openLogs(
    browser,
    pages.address,
    "production?view=logs&of=apps/deployments/shop-prod/checkout&tail=200&level=error",
  );
  // Files in memory: what picks one on the disk is a window of the browser.
  await page.evaluate(() => Reflect.deleteProperty(globalThis, "showSaveFilePicker"));
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^production-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.log$/);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
  await expect(page.getByText(`Downloaded ${lines.length} lines`)).toBeVisible();
  expect(lines.length).toBeGreaterThan(await countOf(page));
  expect(lines.every((line) => /Z shop-prod\/checkout-\S+\/(app|proxy) .*ERROR/.test(line))).toBe(true);
  await page.close();
});

test("a source that may not be read has the rule with a Role to copy, one over the limit has the limit and the agent's version", async ({
  browser,
  pages,
}) => {
  const page = await browser.newPage({ baseURL: pages.address, viewport: LAPTOP });
  await page.goto(`${ENVIRONMENTS}/production?view=list&sel=core/pods/shop-prod/session-store-0&tab=logs`);
  const drawer = page.getByRole("complementary");
  await expect(drawer).toContainText("You may not read these logs");
  await expect(drawer).toContainText('resources: ["pods/log"]');
  await expect(drawer.getByRole("button", { name: "Copy Role" })).toBeVisible();
  await page.goto(`${ENVIRONMENTS}/fits?view=logs`);
  await expect(page.locator('[data-notice="over-limit"]')).toContainText(/\d+ containers are not read: .*17\.3\.1.*at most 4 containers/);
  await expect(page.locator('[data-notice="read-here"]')).toContainText("read through the Kubernetes API, four containers at a time");
  await page.close();
});

test("5,000 lines a second of 200 pods: few rows are in the page, they are drawn at most ten times a second, and a key is taken", async ({
  browser,
  pages,
}) => {
  const { page } = await openLogs(browser, pages.address, "load-500?view=logs");
  const { typed, ...figures } = await measureFlood(page);
  const printed = JSON.stringify({ ...figures, typedMs: typed.ms });
  test.info().annotations.push({ type: "figures", description: printed });
  // oxlint-disable-next-line no-console -- figures of this machine
  console.log(`    log pages at 5,000 lines/s: ${printed}`);
  expect(typed.value).toBe("x");
  expect(figures.linesPerSecond, "lines go on").toBeGreaterThan(500);
  expect(figures.mostRows, printed).toBeLessThan(150);
  expect(figures.drawnPerSecond, printed).toBeLessThanOrEqual(11);
  // Durations are those of the machine, and of what else runs on it.
  if (process.env["BENCH"] === "1") {
    expect(figures.frameP95, printed).toBeLessThanOrEqual(33);
    expect(figures.longest, printed).toBeLessThanOrEqual(100);
    expect(typed.ms, printed).toBeLessThanOrEqual(100);
  }
  await page.close();
});

test("a flood leaves nothing behind: lines, nodes of the document and listeners stay as many, whether lines wrap or not", async ({
  browser,
  pages,
}) => {
  test.setTimeout(300_000);
  const { page } = await openLogs(browser, pages.address, "load-500?view=logs");
  const dropped = page.locator('[data-notice="dropped"]');
  await expect(dropped).toBeVisible();
  const devTools = await page.context().newCDPSession(page);
  /** After so many lines in all. */
  const sampleAfter = async (lines: number) => {
    await page.waitForFunction(
      (least) =>
        Number(document.querySelector("[data-count]")?.getAttribute("data-count")) +
          Number(/\d+/.exec(document.querySelector('[data-notice="dropped"]')?.textContent?.replaceAll(/[,.\s]/g, "") ?? "")?.[0]) >
        least,
      lines,
      { timeout: 200_000 },
    );
    await devTools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devTools.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await devTools.send("Memory.getDOMCounters");
    return { lines, retained: await countOf(page), nodes, listeners: jsEventListeners, heapMb: Math.round(usedSize / 1e5) / 10 };
  };
  const steps = process.env["BENCH"] === "1" ? [160_000, 200_000, 300_000, 400_000] : [160_000, 200_000];
  for (const wrap of [false, true]) {
    if (wrap) await page.getByRole("button", { name: "Wrap lines" }).click();
    const after = wrap ? (steps.at(-1) ?? 0) - 140_000 : 0;
    const samples: Awaited<ReturnType<typeof sampleAfter>>[] = [];
    for (const lines of steps) samples.push(await sampleAfter(after + lines));
    const printed = `${wrap ? "wrapped" : "not wrapped"}: ${JSON.stringify(samples)}`;
    // oxlint-disable-next-line no-console -- figures of this machine
    console.log(`    a page of logs at 5,000 lines/s, ${printed}`);
    const [first, last] = [samples[0], samples.at(-1)];
    for (const { retained } of samples) expect(retained, printed).toBeLessThanOrEqual(100_000);
    // Rows of the last drawing may still be there beside those of this one.
    expect(last?.nodes, printed).toBeLessThan(2 * (first?.nodes ?? 0) + 200);
    expect(last?.listeners, printed).toBeLessThan(2 * (first?.listeners ?? 0));
    if (process.env["BENCH"] === "1") expect(last?.heapMb, printed).toBeLessThan(1.1 * (first?.heapMb ?? 0) + 2);
  }
  await page.close();
});

test("axe finds nothing on a log with an open line, chosen lines and a search, light and dark, on a laptop and on a phone", async ({
  browser,
  pages,
}) => {
  for (const [colorScheme, viewport] of [
    ["light", LAPTOP],
    ["dark", { width: 390, height: 844 }],
  ] as const) {
    const page = await browser.newPage({ baseURL: pages.address, viewport, colorScheme });
    await page.goto(`${ENVIRONMENTS}/production?view=logs&find=payments`);
    await expect(page.locator("[data-line] mark").first()).toBeVisible();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page
      .locator("[data-line]")
      .nth(12)
      .click({ position: { x: 60, y: 8 } });
    await page
      .locator("[data-line]")
      .nth(13)
      .getByRole("gridcell")
      .nth(1)
      .click({ modifiers: ["Shift"] });
    await page.keyboard.press("Enter");
    expect(await axeViolations(page), `${colorScheme}, ${viewport.width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    await page.close();
  }
});
