// long: every screen in seven looks, seven minutes
import { expect } from "@playwright/test";

import { test } from "../look/fixture-test.ts";
import { turnsOf } from "../look/looks.ts";
import { SCREENS } from "../look/screens.ts";
import { walk } from "../look/walk.ts";

/** As many screens as one test looks at. */
const PART = 9;

for (let start = 0; start < SCREENS.length; start += PART) {
  const screens = SCREENS.slice(start, start + PART);
  const [first, last] = [screens[0]?.name, screens.at(-1)?.name];
  test(`axe finds nothing on ${first} to ${last}, light and dark, on a phone and on a laptop, and in other looks in turn; no page is wider than its window`, async ({
    browser,
    pages,
  }) => {
    expect(await walk(browser, { address: pages.address, screens, turnsOf: (index) => turnsOf(start + index) })).toEqual({});
  });
}
