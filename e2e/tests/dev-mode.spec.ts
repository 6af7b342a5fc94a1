// long: compiles every page and component in development mode, six minutes
import type { Page } from "@playwright/test";
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { violationsOf } from "../support/axe.ts";
import { DevServer } from "../support/dev-server.ts";
import { expect, test } from "../support/fixtures.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const WEB = join(ROOT, "apps", "web");
/** Rules about a part of a page; rules about whole pages are checked on the pages. */
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What the page says is wrong, from now on. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return complaints;
}

test("`npm run dev` shows an environment without a cluster; every component is shown in every state, and axe finds nothing in any theme", async ({
  page,
}) => {
  test.setTimeout(600_000);
  const server = await DevServer.start();
  try {
    const complaints = complaintsOf(page);
    await page.goto(`${server.address}/p/harbor/storefront/environments/production?view=graph`);
    await expect(page.getByRole("button", { name: /^Deployment checkout/ })).toBeVisible();
    await page.goto(`${server.address}/dev/components?group=none`);
    const groups = (await page.locator("main[data-groups]").getAttribute("data-groups"))?.split(" ") ?? [];
    expect(groups.length).toBeGreaterThan(10);
    for (const group of groups) {
      // Light beside dark.
      await page.goto(`${server.address}/dev/components?group=${group}`);
      await expect(page.locator(`[data-group="${group}"] [data-specimen]`).first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      const violations = await violationsOf(page, { runOnly: WCAG });
      const found = violations.map(({ id, elements }) => `${id}: ${elements.join(", ")}`);
      expect.soft(found, group).toEqual([]);
    }
    expect(complaints).toEqual([]);
  } finally {
    await server.stop();
  }
});

test("in dev mode a changed style and a changed component are on the screen without a reload", async ({ page }) => {
  test.setTimeout(300_000);
  // In a copy: no test may change the working tree. It lies as deep as apps/web, so that it finds the workspace.
  const copy = join(ROOT, "test-results", `web-${process.pid}`);
  const left = new Set([".next", "node_modules", ".turbo"]);
  cpSync(WEB, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  const server = await DevServer.start(["--dir", copy]);
  try {
    let width = 6;
    // A change that is saved before the page listens is not sent to it: it is loaded anew, and something else is saved.
    const seen = expect(async () => {
      width += 1;
      await page.goto(`${server.address}/p/harbor/storefront/environments`);
      await expect(page.getByRole("row", { name: /production/ })).toBeVisible();
      await page.evaluate(() => Reflect.set(globalThis, "sameDocument", true));
      appendFileSync(join(copy, "src/ui/base.css"), `@layer base { body { border-top: ${width}px solid rgb(1, 2, 3); } }\n`);
      await expect(page.locator("body")).toHaveCSS("border-top-width", `${width}px`, { timeout: 20_000 });
    }).toPass({ timeout: 200_000 });
    await seen.catch((error: unknown) => {
      throw new Error(`The changed style is not on the screen. The server says:\n${server.output.slice(-2_000)}`, { cause: error });
    });

    const bar = join(copy, "src/ui/app-bar.tsx");
    writeFileSync(bar, readFileSync(bar, "utf8").replace("Binnacle\n", "Compass\n"));
    await expect(page.getByRole("banner").getByRole("link", { name: "Compass" })).toBeVisible();
    await expect(page.locator("body")).toHaveCSS("border-top-width", `${width}px`);
    expect(await page.evaluate(() => Reflect.get(globalThis, "sameDocument") as unknown)).toBe(true);
  } finally {
    await server.stop();
    rmSync(copy, { recursive: true, force: true });
  }
});
