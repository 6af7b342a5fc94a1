import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

/** A photograph: its file, and what stands below it. */
export interface Photograph {
  readonly file: string;
  readonly look: string;
}

const SHEET_PX = 2400;
const HEIGHT_PX = 460;

/** Puts the photographs of a screen on one sheet, all as high as each other, and photographs that into a file. */
export async function writeContactSheet(page: Page, photographs: readonly Photograph[], file: string): Promise<void> {
  const figures = photographs.map(({ file: each, look }) => {
    const source = `data:image/png;base64,${readFileSync(each).toString("base64")}`;
    return `<figure><img height="${HEIGHT_PX}" src="${source}"><figcaption>${look}</figcaption></figure>`;
  });
  await page.setViewportSize({ width: SHEET_PX, height: 100 });
  await page.setContent(`<style>body{margin:12px;display:flex;flex-wrap:wrap;gap:12px;background:#777;font:16px sans-serif}
    figure{margin:0;background:#fff}figcaption{padding:4px}img{display:block}</style>${figures.join("")}`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.screenshot({ path: file, fullPage: true });
}
