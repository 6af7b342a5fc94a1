import type { Locator, Page } from "@playwright/test";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { pushFile } from "../support/push-configuration.ts";
import { Sandbox } from "../support/sandbox.ts";

const FILE = ".gitlab/binnacle.yaml";
/** What is read of a file holds for 20 s, and an open page asks every 30 s. */
const FOLLOWED_MS = 150_000;

const WHOLE = `environments:
  production: { namespaces: [production, staging] }
`;
const WITH_LABELS = `${WHOLE}  staging: { labels: { app.kubernetes.io/name: web } }
  preview: { namespaces: [Preview!] }
`;

// Its own environment, so that no other test sees the content of the file.
let sandbox: Sandbox;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster: "embedded" });
  await pushFile(sandbox, FILE, WITH_LABELS);
});

test.afterAll(() => sandbox.stop());

/** The line that says which part of the cluster the environment is. */
function scopeOf(page: Page): Locator {
  return page.locator("[data-scope]");
}

/** What is wrong with the file. */
function noticesOf(page: Page): Locator {
  return page.locator("[data-file-notices]");
}

test("an environment of two namespaces says so, and the drawer of an object of the second one opens", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await expect(scopeOf(page)).toHaveText("Namespaces production, staging");
  await expect(view.node("Deployment", "worker")).toBeVisible();
  await expect(view.health).toHaveAttribute("data-health", "degraded");
  await view.node("Deployment", "payments").press("Enter");
  const drawer = page.getByRole("complementary", { name: "Deployment payments" });
  await drawer.getByRole("tab", { name: "YAML" }).click();
  await expect(drawer.getByText("namespace: staging").first()).toBeVisible();
});

test("the index shows the health of all of its namespaces", async ({ page }) => {
  const index = `${sandbox.endpoints.dashboard.replace(/\/$/, "")}/p/group/app/environments`;
  await signIn(page, sandbox, { username: "maintainer", url: index });
  // Without the file production is well.
  await expect(page.getByRole("row", { name: /\bproduction\b/ })).toContainText("Degraded");
});

test("an entry that is wrong is named with its line, and the others hold", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "preview") });
  await expect(noticesOf(page)).toContainText(`${FILE}, line 4, environments.preview`);
  await expect(noticesOf(page)).toContainText("must be the name of one namespace");
  await expect(scopeOf(page)).toHaveCount(0);
});

test("labels say how much of the namespace is shown, and the picture follows a push while the page is open", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "staging") });
  const view = new EnvironmentPage(page);
  await expect(scopeOf(page)).toContainText("Namespace staging, with labels app.kubernetes.io/name=web");
  await expect(scopeOf(page)).toContainText(/\d+ of \d+ resources of namespace staging/);
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(view.node("Deployment", "payments")).toHaveCount(0);
  await view.mark();

  await pushFile(sandbox, FILE, WHOLE);
  await expect(view.node("Deployment", "payments")).toBeVisible({ timeout: FOLLOWED_MS });
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(scopeOf(page)).toHaveCount(0);
  await view.expectNoReload();
});

test("a file that is no text is named, and the environment is what the main application has", async ({ page }) => {
  await pushFile(sandbox, FILE, "\0");
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await expect(noticesOf(page)).toContainText(`The team's file ${FILE} is no text and was not read`);
  await expect(view.node("Deployment", "worker")).toBeVisible();
  await expect(view.node("Deployment", "payments")).toHaveCount(0);
  await expect(scopeOf(page)).toHaveCount(0);
});
