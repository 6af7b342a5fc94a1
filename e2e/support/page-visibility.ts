import type { Page } from "@playwright/test";

/** Hides a page, or shows it: a browser without a screen shows every page, so the page gets the event that it would get. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
    Object.defineProperty(document, "visibilityState", { configurable: true, value: isHidden ? "hidden" : "visible" });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}
