import { expect } from "@playwright/test";

import { testIn } from "../look/fixture-test.ts";
import { overflowOf } from "../look/judge.ts";
import type { Look } from "../look/looks.ts";
import { SCREENS } from "../look/screens.ts";
import { lookOtherwise, openScreen } from "../look/show.ts";
import { strayWords } from "../look/stray-words.ts";

/** Of each page, view, panel and kind of trouble one; `npm run look -- --language pseudo` has all. */
const LOOKED_AT = [
  "projects",
  "sign-in",
  "not-found",
  "index",
  "summary",
  "graph",
  "tree",
  "list",
  "list-groups",
  "list-nothing",
  "drawer",
  "drawer-pod",
  "relations-refused",
  "yaml",
  "drawer-events",
  "manifest",
  "gitops",
  "events",
  "forbidden",
  "no-agent",
  "offline-summary",
  "api-down",
  "session-ended",
  "keyboard",
  "menu",
  "access",
];
const DESK: Look = { theme: "light", mode: "plain", width: 1440 };
const PHONE: Look = { theme: "light", mode: "plain", width: 390 };

// The pages of a made-up world, whose server speaks the pseudo-language: its sentences are longer, and have accents and brackets.
const test = testIn("pseudo");

test("in another language nothing of ours is in English, texts of the cluster are marked as such, and no page is wider than its window", async ({
  browser,
  pages,
}) => {
  test.setTimeout(300_000);
  const page = await browser.newPage({ baseURL: pages.address });
  const found: Record<string, readonly string[]> = {};
  const screens = SCREENS.filter(({ name }) => LOOKED_AT.includes(name));
  expect(screens.map(({ name }) => name).toSorted()).toEqual(LOOKED_AT.toSorted());
  for (const screen of screens) {
    await openScreen(page, screen, DESK);
    // A drawer is there before what it tells.
    if (screen.path.includes("sel=")) await page.getByRole("tabpanel").waitFor();
    await expect(page.locator("[role=tabpanel] div[role=status]")).toHaveCount(0);
    const wrong = [...(await strayWords(page)), ...(await overflowOf(page))];
    await lookOtherwise(page, PHONE);
    wrong.push(...(await overflowOf(page)));
    if (wrong.length > 0) found[screen.name] = wrong;
  }
  expect(found).toEqual({});
  await page.close();
});

test("the words of the first HTML are in the language of the server, and the page that follows speaks the same", async ({
  browser,
  pages,
}) => {
  const context = await browser.newContext({ baseURL: pages.address, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/p/harbor/storefront/environments/production?view=summary");
  await expect(page.getByRole("navigation", { name: "⟦Víéws⟧" })).toContainText("⟦Súmmárý⟧");
  await context.close();
  const live = await browser.newPage({ baseURL: pages.address });
  const problems: string[] = [];
  live.on("pageerror", (error) => problems.push(error.message));
  await live.goto("/p/harbor/storefront/environments/production?view=summary");
  await expect(live.getByRole("heading", { name: "⟦Wórklóáds⟧", exact: true })).toBeVisible();
  expect(problems).toEqual([]);
  await live.close();
});
