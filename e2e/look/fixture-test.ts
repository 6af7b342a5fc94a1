import { test as plain } from "@playwright/test";

import { openFixturePages, type FixturePages } from "./fixture-pages.ts";

/** Tests without a sandbox, whose pages stand over a made-up world: those of one server, which speaks this language. */
export function testIn(language: string) {
  return plain.extend<object, { pages: FixturePages }>({
    pages: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture asks for from its pattern
      async ({}, use) => {
        const pages = await openFixturePages(language);
        await use(pages);
        await pages.close();
      },
      { scope: "worker" },
    ],
  });
}

/** In English. */
export const test = testIn("en");
