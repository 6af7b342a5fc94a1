import type { Page } from "@playwright/test";

import { pick } from "../support/endpoints.ts";
import { signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import type { Sandbox } from "../support/sandbox.ts";

let sandbox: Sandbox;

test.beforeAll(({ sandbox: shared }) => {
  sandbox = shared;
});

test.afterEach(() => populate({ first: 0, count: 0 }));

const indexUrl = (): string => pick(sandbox.endpoints.environments, ({ name }) => name === "staging").url.replace(/\/[^/]+$/, "");
const folder = (page: Page) => page.locator('[data-folder="review"]');
const members = (page: Page) => page.locator('[data-environment^="review/"]');
const fold = (page: Page) => folder(page).getByRole("button");

/** The review environments that there are, of which those with numbers below `stopping` are being stopped. */
async function populate(of: { readonly first: number; readonly count: number; readonly stopping?: number }): Promise<void> {
  const query = new URLSearchParams({ first: String(of.first), count: String(of.count), stopping: String(of.stopping ?? 0) });
  const address = new URL(`/-/sandbox/many-environments?${query}`, sandbox.endpoints.mainApplication.graphql);
  const answer = await fetch(address, { method: "POST" });
  expect(answer.status).toBe(204);
}

test("T89: 300 review environments are one row with the worst health of all; it opens in place, also by keys, and the address keeps it", async ({
  page,
}) => {
  await populate({ first: 1, count: 300 });
  await signIn(page, sandbox, { username: "developer", url: indexUrl() });
  await expect(folder(page)).toContainText("300");
  // Every tenth is in the namespace of staging, which is degraded.
  await expect(folder(page)).toContainText("30 Degraded, 270 Healthy");
  await expect(folder(page).locator("td").first()).toContainText(/^Degraded/);
  await expect(members(page)).toHaveCount(0);
  await page.screenshot({ path: test.info().outputPath("folded.png") });

  await fold(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(fold(page)).toHaveAttribute("aria-expanded", "true");
  await expect(members(page).first()).toHaveAttribute("data-health", "degraded");
  await expect(members(page).first().locator('[data-lifetime="auto-stop"]')).toContainText(/stops in \d+ [hd]/);
  // Of hundreds only those on the screen and some around them are in the page.
  expect(await page.locator("tbody tr").count()).toBeLessThan(90);
  await page.screenshot({ path: test.info().outputPath("open.png") });
  await expect(fold(page)).toBeFocused();
  expect(page.url()).toContain("folders=review");
  await page.reload();
  await expect(members(page).first()).toBeVisible();
  await fold(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(members(page)).toHaveCount(0);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: test.info().outputPath("phone-dark.png") });
});

test("search and filters look into folders", async ({ page }) => {
  await populate({ first: 1, count: 300 });
  await signIn(page, sandbox, { username: "developer", url: indexUrl() });
  await expect(folder(page)).toContainText("30 Degraded, 270 Healthy");
  await page.getByRole("searchbox").fill("branch-27");
  await expect(members(page)).toHaveCount(11);
  await expect(folder(page)).toContainText("11 of 300 match");
  await fold(page).click();
  await expect(members(page)).toHaveCount(0);
  await page.getByRole("searchbox").fill("");
  await expect(folder(page)).not.toContainText("match");
  await page.getByRole("button", { name: /^Degraded/ }).click();
  await expect(folder(page)).toContainText("30 of 300 match");
  await expect(members(page).first()).toBeVisible();
});

test("review environments that come and go are rows of the open index without a reload, and those that left are named", async ({
  page,
}) => {
  await populate({ first: 1, count: 300 });
  await signIn(page, sandbox, { username: "developer", url: `${indexUrl()}?folders=review&q=review` });
  await expect(folder(page)).toContainText("300");
  await page.evaluate(() => document.documentElement.setAttribute("data-e2e-mark", "1"));
  const streams: string[] = [];
  page.on("request", (request) => streams.push(request.url()));
  for (let round = 1; round <= 10; round += 1) {
    const first = 1 + 30 * round;
    await populate({ first: first - 30, count: 300, stopping: first });
    await populate({ first, count: 300, stopping: first + 1 });
    // Rows that are not on the screen are not in the page; the poll of the sandbox is 2 s.
    await page.getByRole("searchbox").fill(`branch-${first}`);
    const stopping = page.locator(`[data-environment="review/branch-${first}"] [data-lifetime="stopping"]`);
    await expect(stopping).toHaveCount(1, { timeout: 10_000 });
    await page.getByRole("searchbox").fill(`branch-${first - 1}`);
    await expect(page.locator(`[data-environment="review/branch-${first - 1}"]`)).toHaveCount(0, { timeout: 10_000 });
  }
  await page.getByRole("searchbox").fill("review");
  await expect(page.locator("[data-left]")).toContainText(/Left the list: review\/branch-\d+ stopped.* ago/);
  await page.screenshot({ path: test.info().outputPath("left.png") });
  expect(await page.locator("html").getAttribute("data-e2e-mark")).toBe("1");
  // One stream carries all of it.
  expect(streams.filter((url) => url.includes("Dashboard/Watch")).length).toBeLessThanOrEqual(2);
  await populate({ first: 0, count: 0 });
  await expect(folder(page)).toHaveCount(0, { timeout: 10_000 });
});
