// needs: control-plane
import type { Page } from "@playwright/test";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { giveOwnStream } from "../support/own-stream.ts";
import type { Sandbox } from "../support/sandbox.ts";

const HOUR_MS = 3_600_000;
/** Ages are whole minutes, and pages are read one after the other. */
const DOUBT_SECONDS = 70;
const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600, d: 86_400 };

/** Ages that stand in a text, in seconds: "3 min ago". */
function agesIn(text: string): readonly number[] {
  return [...text.matchAll(/(\d+) (s|min|h|d) ago/g)].map(([, count, unit = ""]) => Number(count) * (SECONDS[unit] ?? Number.NaN));
}

/** A page of the index by a clock that is wrong, and that goes on. */
async function openIndex(page: Page, sandbox: Sandbox, aheadMs: number): Promise<string> {
  const url = graphUrl(sandbox, "production").replace(/\/[^/]+$/, "");
  await giveOwnStream(page);
  await page.clock.install({ time: Date.now() + aheadMs });
  await signIn(page, sandbox, { username: "maintainer", url });
  await expect(page.locator("main .live")).toBeVisible();
  return url;
}

/** What a row of the index says, when it is what a row of a page with the right clock says. */
async function expectAges(page: Page, row: string, truth: string): Promise<void> {
  await expect
    .poll(async () => {
      const [shown, wanted] = [agesIn((await page.locator(row).textContent()) ?? ""), agesIn(truth)];
      const off = wanted.map((age, at) => Math.abs(age - (shown[at] ?? Number.POSITIVE_INFINITY)));
      return wanted.length > 0 && off.every((seconds) => seconds < DOUBT_SECONDS);
    }, `ages are those of "${truth}"`)
    .toBe(true);
}

for (const aheadMs of [3 * HOUR_MS, -3 * HOUR_MS]) {
  const by = `${Math.abs(aheadMs) / HOUR_MS} h ${aheadMs > 0 ? "fast" : "slow"}`;
  test(`ages are right, and live is live, in a browser whose clock is ${by}, and when it is set meanwhile`, async ({
    page,
    browser,
    sandbox,
  }) => {
    const right = await (await browser.newContext()).newPage();
    await openIndex(right, sandbox, 0);
    const url = await openIndex(page, sandbox, aheadMs);
    const row = 'tr[data-environment="staging"]';
    const truth = (await right.locator(row).textContent()) ?? "";
    await expectAges(page, row, truth);
    await expect(page.locator(row)).toHaveAttribute("data-knowledge", "fresh");
    await new EnvironmentPage(page).mark();

    // No machine has slept: a clock that is set back changes nothing, at any moment.
    await page.clock.setSystemTime(Date.now() + aheadMs - 5 * HOUR_MS);
    await expectAges(page, row, truth);
    await expect(page.locator("main .live")).toBeVisible();
    // A clock that is set on could be a sleep: until the server says something nothing is called live.
    await page.clock.setSystemTime(Date.now() + aheadMs + 5 * HOUR_MS);
    await expect(page.locator("main .live")).toBeVisible();
    await expectAges(page, row, truth);
    await new EnvironmentPage(page).expectNoReload();

    await kubectl(sandbox.endpoints.kubeconfigs.viaKas, ["create", "configmap", "just-made"]);
    try {
      await page.goto(`${url}/production?view=list&q=just-made`);
      await expect(page.locator("[data-connection=live]")).toBeVisible();
      const made = page.locator('[role="row"]').filter({ hasText: "just-made" });
      await expect(made).toContainText(/(?:\d+ s|[1-3] min)$/);
    } finally {
      await kubectl(sandbox.endpoints.kubeconfigs.viaKas, ["delete", "configmap", "just-made", "--ignore-not-found"]);
    }
  });
}
