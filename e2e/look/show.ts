import type { Page } from "playwright-core";

import { windowOf, type Look } from "./looks.ts";
import type { Screen } from "./screens.ts";

const THERE_MS = 60_000;

/** Opens a screen as it is viewed, and waits until it is there. */
export async function openScreen(page: Page, screen: Screen, look: Look): Promise<void> {
  // Nothing is opened on paper: it goes there when it has been seen.
  await putOn(page, look.mode === "paper" ? { ...look, mode: "plain" } : look);
  await page.goto(screen.path, { waitUntil: "load" });
  await page.locator(screen.there).first().waitFor({ timeout: THERE_MS });
  for (const selector of [screen.click ?? []].flat()) await page.locator(selector).click();
  if (screen.until !== undefined) await page.locator(screen.until).waitFor({ timeout: THERE_MS });
  if (screen.key !== undefined) await page.keyboard.press(screen.key);
  await putOn(page, look);
  await settle(page);
}

/** The same screen, looked at otherwise: nothing is loaded again. */
export async function lookOtherwise(page: Page, look: Look): Promise<void> {
  await putOn(page, look);
  await settle(page);
}

async function putOn(page: Page, look: Look): Promise<void> {
  await page.setViewportSize(windowOf(look));
  await page.emulateMedia({
    media: look.mode === "paper" ? "print" : "screen",
    colorScheme: look.theme,
    forcedColors: look.mode === "forced" ? "active" : "none",
    reducedMotion: look.mode === "calm" ? "reduce" : "no-preference",
  });
}

/** Until its fonts are there and nothing that ends is still moving. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
