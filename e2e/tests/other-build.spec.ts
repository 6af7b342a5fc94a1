import type { Page } from "@playwright/test";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

/** Later than any build of today, and earlier than any. */
const [NEWER, OLDER] = ["zzzzzzzzzz-000000000000", "0000000000-000000000000"] as const;

/** Lets the drawer's calls be answered by a server of that build. */
async function answerFrom(page: Page, build: string): Promise<void> {
  await page.unroute("**/GetResource");
  await page.route("**/GetResource", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), "x-binnacle-build": build } });
  });
}

test("W12: a server of a newer build is announced and changes nothing by itself; Reload keeps the address", async ({ page, sandbox }) => {
  const url = graphUrl(sandbox, "production");
  await signIn(page, sandbox, { username: "maintainer", url });
  const view = new EnvironmentPage(page);
  const offer = page.getByText("A new version of Binnacle is there.");
  await answerFrom(page, OLDER);
  await view.node("Deployment", "web").click();
  await page.getByRole("tab", { name: "YAML" }).click();
  await expect(page.getByText("apiVersion: apps/v1")).toBeVisible();
  await view.mark();
  await answerFrom(page, NEWER);
  await page.reload();
  await expect(offer).toBeVisible();
  await page.getByRole("button", { name: "Later" }).click();
  await expect(offer).toHaveCount(0);

  // Another page of the browser hears of it too, and this one no more.
  const other = await page.context().newPage();
  await other.goto(url);
  await expect(new EnvironmentPage(other).node("Deployment", "web")).toBeVisible();
  const selected = page.url();
  await page.reload();
  await expect(page.getByText("apiVersion: apps/v1")).toBeVisible();
  await expect(other.getByText("A new version of Binnacle is there.")).toBeVisible();
  await other.close();

  await page.unroute("**/GetResource");
  await expect(offer).toBeVisible();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(offer).toHaveCount(0);
  await expect(page.getByText("apiVersion: apps/v1")).toBeVisible();
  expect(page.url()).toBe(selected);
});

test("W12: a page whose first files are gone loads itself again once, then says what to do, and runs when they are back", async ({
  page,
  sandbox,
}) => {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.route("**/_next/static/chunks/*.js", (route) => route.fulfill({ status: 404 }));
  await page.goto(`${sandbox.endpoints.dashboard}/sign-in`);
  await expect(page.getByRole("alert").filter({ hasText: "A file of this page could not be loaded" })).toBeVisible();
  expect(loads).toBe(2);
  await page.unroute("**/_next/static/chunks/*.js");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sign in to Binnacle" })).toBeVisible();
  await expect(page.getByText("A file of this page could not be loaded")).toHaveCount(0);
  expect(loads).toBe(3);
});

test("W12: a route whose files are gone loads the page again at its own address", async ({ page, sandbox }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
  const known = new Set(await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)));
  await page.goto(`${sandbox.endpoints.dashboard}/sign-in`);
  await page.route("**/_next/static/**", (route) => (known.has(route.request().url()) ? route.fulfill({ status: 404 }) : route.continue()));
  const loaded = page.waitForEvent("load");
  await page.getByRole("link", { name: "Binnacle" }).click();
  await page.unroute("**/_next/static/**");
  await Promise.race([loaded, expect(page.getByRole("heading", { level: 1, name: "Environments" })).toBeAttached()]);
  await expect(page.getByRole("heading", { level: 1, name: "Environments" })).toBeAttached();
  await expect(page).not.toHaveURL(/sign-in/);
});

test("W12: unknown addresses are answered 404, below /p/ too for who is signed in, though that page is streamed", async ({
  page,
  sandbox,
}) => {
  const { dashboard } = sandbox.endpoints;
  const paths = ["/nowhere", "/sign-in/x"];
  const answers = await Promise.all(paths.map((path) => fetch(dashboard + path)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
  for (const answer of answers) expect(await answer.text()).toContain("There is no such page.");
  // Only signed-in users learn whether a project exists.
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
  for (const path of ["/p/x", "/p/a/b"]) expect((await page.goto(dashboard + path))?.status()).toBe(404);
});
