import { chromium } from "playwright-core";

import { openFixturePages } from "../look/fixture-pages.ts";
import { measureFlood } from "../look/log-flood.ts";
import { printFigures } from "./goals.ts";

const PATH = "/p/harbor/storefront/environments/load-500?view=logs";

/** The page of logs over a made-up world: 200 pods, 5,000 lines a second. It needs a build of the pages (`npm run build -w apps/web`). */
export async function benchLogPage(): Promise<void> {
  const pages = await openFixturePages();
  try {
    const browser = await chromium.launch({
      executablePath: process.env["HEADLESS_SHELL_PATH"] ?? process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
      const page = await browser.newPage({ baseURL: pages.address, viewport: { width: 1440, height: 900 } });
      await page.goto(PATH);
      const { frameP95, longest, longTasks, linesPerSecond, drawnPerSecond, typed } = await measureFlood(page);
      printFigures("The page of logs, 200 pods, 5,000 lines a second", [
        { figure: "lines that came", value: linesPerSecond, unit: "/s" },
        { figure: "drawn", value: drawnPerSecond, unit: "/s" },
        { figure: "frame p95", value: frameP95, unit: "ms", goal: 33 },
        { figure: "longest task", value: longest, unit: "ms", goal: 100 },
        { figure: "tasks of more than 50 ms", value: longTasks, unit: "" },
        { figure: "a key in the search field is painted after", value: typed.ms, unit: "ms", goal: 100 },
      ]);
    } finally {
      await browser.close();
    }
  } finally {
    await pages.close();
  }
}
