import { expect } from "@playwright/test";

import { test } from "./fixture-test.ts";
import type { Turn } from "./looks.ts";
import { SCREENS } from "./screens.ts";
import { walk } from "./walk.ts";

/** As many screens as one test looks at. */
const PART = 9;

/**
 * Defines tests that look at all screens and find nothing wrong.
 *
 * @param looks as the titles name them
 * @param turnsOf the looks of a screen, by its index from 0
 */
export function testScreens(looks: string, turnsOf: (index: number) => readonly Turn[]): void {
  for (let start = 0; start < SCREENS.length; start += PART) {
    const screens = SCREENS.slice(start, start + PART);
    const [first, last] = [screens[0]?.name, screens.at(-1)?.name];
    test(`axe finds nothing on ${first} to ${last}, ${looks}; no page is wider than its window`, async ({ browser, pages }) => {
      expect(await walk(browser, { address: pages.address, screens, turnsOf: (index) => turnsOf(start + index) })).toEqual({});
    });
  }
}
