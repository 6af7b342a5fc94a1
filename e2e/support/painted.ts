import type { Page } from "playwright-core";

/**
 * Waits until something that a selector names is to be seen, and looks at every frame: what a locator waits for may have been there for half a
 * second, for it looks ever more seldom.
 */
export async function painted(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector(wanted)?.checkVisibility() === true, selector);
}
