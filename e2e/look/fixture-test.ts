import { test as plain } from "@playwright/test";

import { openFixturePages, type FixturePages } from "./fixture-pages.ts";

/** Without a sandbox: the pages stand over a made-up world. */
export const test = plain.extend<object, { pages: FixturePages }>({
  pages: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture asks for from its pattern
    async ({}, use) => {
      const pages = await openFixturePages();
      await use(pages);
      await pages.close();
    },
    { scope: "worker" },
  ],
});
