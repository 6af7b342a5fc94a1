import type { Page } from "@playwright/test";

const SECONDS = 8;

/** How a page of logs does under a flood. */
export interface FloodFigures {
  /** Longest task of the main thread, in ms. */
  readonly longest: number;
  /** Tasks of more than 50 ms. */
  readonly longTasks: number;
  /** Time between two frames, in ms. */
  readonly frameP95: number;
  readonly linesPerSecond: number;
  readonly drawnPerSecond: number;
  /** Rows in the document at a time. */
  readonly mostRows: number;
  /** What the search field contains after a key, and after how many ms it is painted. */
  readonly typed: { readonly value: string; readonly ms: number };
}

/** Measures for eight seconds, once the page retains as much as it may and shows what has just come. */
export async function measureFlood(page: Page): Promise<FloodFigures> {
  // What is there already has come, and the flood goes on.
  await page.locator('[data-notice="dropped"]').waitFor();
  await page.waitForFunction(() => {
    const newest = document.querySelector("[data-line]:last-child [role=gridcell]:nth-child(2)")?.getAttribute("title") ?? "";
    return Date.now() - Date.parse(newest) < 1_000;
  });
  const figures = await page.evaluate(async (seconds) => {
    const tasks: number[] = [];
    const frames: number[] = [];
    let [drawn, mostRows, newest] = [0, 0, ""];
    const observer = new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration));
    });
    observer.observe({ type: "longtask" });
    const until = performance.now() + seconds * 1_000;
    let last = performance.now();
    // Those that are there, and those that have fallen off.
    const count = (): number =>
      Number(document.querySelector("[data-count]")?.getAttribute("data-count")) +
      Number(/\d+/.exec(document.querySelector('[data-notice="dropped"]')?.textContent?.replaceAll(/[,.\s]/g, "") ?? "")?.[0]);
    const before = count();
    await new Promise<void>((resolve) => {
      const frame = (now: number): void => {
        frames.push(now - last);
        last = now;
        const rows = document.querySelectorAll("[data-line]");
        const time = rows[rows.length - 1]?.querySelector("[role=gridcell]:nth-child(2)")?.getAttribute("title") ?? "";
        if (time !== newest) drawn += 1;
        newest = time;
        mostRows = Math.max(mostRows, rows.length);
        if (now > until) resolve();
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    observer.disconnect();
    frames.sort((one, other) => one - other);
    return {
      longest: Math.max(0, ...tasks),
      longTasks: tasks.length,
      frameP95: frames[Math.floor(frames.length * 0.95)] ?? 0,
      linesPerSecond: (count() - before) / seconds,
      drawnPerSecond: drawn / seconds,
      mostRows,
    };
  }, SECONDS);
  const field = page.getByRole("searchbox", { name: "Search lines" });
  await field.focus();
  const typed = await page.evaluate(async () => {
    const input = document.activeElement as HTMLInputElement;
    const began = performance.now();
    document.execCommand("insertText", false, "x");
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    });
    return { value: input.value, ms: performance.now() - began };
  });
  return { ...figures, typed };
}
