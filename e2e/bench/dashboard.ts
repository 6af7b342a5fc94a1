import { loadavg } from "node:os";

import { chromium } from "playwright-core";

import { graphUrl, signIn } from "../support/environment-page.ts";
import { Sandbox } from "../support/sandbox.ts";
import { eventToPixelFigures } from "./event-to-pixel.ts";
import { firstRouteFigures } from "./first-route.ts";
import { firstWordsFigures } from "./first-words.ts";
import { benchFirstScreen } from "./first-screen.ts";
import { printFigures } from "./goals.ts";
import { layoutFigures } from "./layouts.ts";
import { rolloutLagFigures } from "./rollout-lag.ts";
import { viewerMemoryFigures } from "./viewer-memory.ts";

const VIEWPORT = { width: 1440, height: 900 };

/** All figures of the environment view that need a browser, and those of its layout. */
export async function benchDashboard(): Promise<void> {
  printFigures("Layout of the graph beside ELK and dagre, CPU time of one thread", await layoutFigures());
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
    const sandbox = await Sandbox.start({ cluster });
    try {
      printFigures(`First route, ${cluster} cluster`, await firstRouteFigures(browser, sandbox));
      const page = await browser.newPage({ viewport: VIEWPORT });
      await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "staging") });
      const figures = await eventToPixelFigures(page, sandbox);
      printFigures(`Event to pixel, ${cluster} cluster (load ${(loadavg()[0] ?? Number.NaN).toFixed(1)})`, figures);
      printFigures(`Drawer through a rollout, ${cluster} cluster`, await rolloutLagFigures(page, sandbox));
      await page.close();
      printFigures(`Viewers, ${cluster} cluster`, await viewerMemoryFigures(sandbox));
      printFigures(`Pages of an agent that hangs, ${cluster} cluster`, await firstWordsFigures(browser, sandbox));
    } finally {
      await sandbox.stop();
    }
    await benchFirstScreen(() => browser.newPage({ viewport: VIEWPORT }));
  } finally {
    await browser.close();
  }
}
