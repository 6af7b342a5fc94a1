import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "@playwright/test";

// @boundaries-ignore scripts are no package: they belong to the repository, as this test does
import { writeDeployable } from "../../scripts/deployable/write-deployable.ts";
import { EnvironmentPage } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { startOtherDashboard, type OtherDashboard } from "../support/other-dashboard.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Two servers of one folder, on names of their own, so that no cookie of one reaches the other. */
const PLACES = [
  { host: "127.0.0.1", prefix: "" },
  { host: "localhost", prefix: "/tools/binnacle" },
] as const;

let empty: string;
let folder: string;
let dashboards: readonly OtherDashboard[];

test.beforeAll(async ({ sandbox }) => {
  const written = mkdtempSync(join(tmpdir(), "binnacle-written-"));
  await writeDeployable(ROOT, join(written, "out"));
  empty = mkdtempSync(join(tmpdir(), "binnacle-empty-"));
  folder = join(empty, "binnacle");
  cpSync(join(written, "out"), folder, { recursive: true });
  rmSync(written, { recursive: true });
  const home = join(empty, "home");
  mkdirSync(home);
  const program = { file: join(folder, "server/main.js"), cwd: empty, home };
  dashboards = await Promise.all(PLACES.map(({ host, prefix }) => startOtherDashboard(sandbox, host, { prefix, program })));
});

test.afterAll(async () => {
  await Promise.all(dashboards.map((dashboard) => dashboard.stop()));
  rmSync(empty, { recursive: true, force: true });
});

for (const [index, { prefix }] of PLACES.entries()) {
  test(`the folder alone serves the whole dashboard under "${prefix}/", and nothing is requested outside of it`, async ({ page }) => {
    const dashboard = dashboards[index];
    if (dashboard === undefined) throw new Error("no dashboard was started");
    const failed = failuresOf(page);
    const url = dashboard.graphUrl("production");
    await dashboard.signIn(page, url);
    const view = new EnvironmentPage(page);
    await expect(view.node("Deployment", "web")).toBeVisible();
    await expect(view.health).toHaveAttribute("data-health", /.+/);
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ name }) => name.startsWith("_binnacle")).map(({ path }) => path)).toEqual([prefix === "" ? "/" : prefix]);

    await view.mark();
    await view.node("Deployment", "web").click();
    await page.getByRole("tab", { name: "YAML" }).click();
    await expect(page.getByText("apiVersion: apps/v1")).toBeVisible();
    await page.goto(url);
    await expect(view.node("Deployment", "web")).toBeVisible();
    await view.mark();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").last().click();
    await expect(page).toHaveURL(({ pathname }) => new RegExp(`^${prefix}/p/.*/environments$`).test(pathname));
    await page.getByRole("link", { name: "production" }).first().click();
    await expect(view.health).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/environments$/);
    await expect(page.getByRole("link", { name: "production" }).first()).toBeVisible();
    await view.expectNoReload();

    // A browser without a window does not ask for the icon by itself.
    const icon = await page.evaluate(
      async () => (await fetch(document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? "")).status,
    );
    expect(icon).toBe(200);
    await page.getByRole("link", { name: "Binnacle" }).click();
    await expect(page).not.toHaveURL(/environments/);
    expect(failed).toEqual([]);
    await page.context().clearCookies();
    await page.goto(`${dashboard.url}/sign-in`);
    await page.goto(`${dashboard.url}/nothing/here`);
    await page.getByRole("link", { name: "All projects" }).click();
    await expect(page).toHaveURL(/\/sign-in\?return_to=/);

    const paths = [...new Set(dashboard.network.requestTargets.map((target) => target.split("?", 1)[0] ?? ""))];
    expect(paths.filter((path) => path !== prefix && !path.startsWith(`${prefix}/`))).toEqual([]);
    for (const part of ["/api/rpc/dashboard.v1.Dashboard/Watch", "/api/session/token", "/icon.svg"])
      expect(paths).toContain(`${prefix}${part}`);
    const refused = `401 ${dashboard.url}/api/rpc/dashboard.v1.Dashboard/ListProjects`;
    expect([...new Set(failed)]).toEqual([refused]);
  });
}

test("the folder holds nothing of the machine that wrote it, and no source", () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => join(entry.parentPath, entry.name));
  expect(names.filter((name) => /\.(ts|tsx|map)$/.test(name) && !name.includes("/static/media/"))).toEqual([]);
  expect(names.filter((name) => readFileSync(name).includes(`${ROOT}/`))).toEqual([]);
  expect(names.length).toBeLessThan(2_000);
});

test("the servers end by SIGTERM, and their copies of the pages are gone", async ({ sandbox }) => {
  const home = mkdtempSync(join(tmpdir(), "binnacle-home-"));
  const dashboard = await startOtherDashboard(sandbox, "127.0.0.1", {
    prefix: "/a/b",
    program: { file: join(folder, "server/main.js"), cwd: home, home },
  });
  expect((await fetch(`${dashboard.url}/readyz`)).status).toBe(200);
  expect(readdirSync(home)).toHaveLength(1);
  expect(await dashboard.stop()).toBe(0);
  expect(readdirSync(home)).toEqual([]);
  expect(existsSync(join(folder, ".next/BUILD_ID"))).toBe(true);
  rmSync(home, { recursive: true });
});

/** What the page could not load, and what its policy forbade. */
function failuresOf(page: Page): string[] {
  const failed: string[] = [];
  page.context().on("response", (response) => {
    if (response.status() >= 400 && !response.url().endsWith("/nothing/here")) failed.push(`${response.status()} ${response.url()}`);
  });
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) failed.push(message.text());
  });
  return failed;
}
