import type { Page } from "playwright-core";

import { targetOf } from "../support/bearer-request.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { painted } from "../support/painted.ts";
import { Sandbox } from "../support/sandbox.ts";
import { FIRST_GRAPH_KINDS, fillFirstGraphs, namespaceOf } from "./first-graph.ts";
import { printFigures, type Figure } from "./goals.ts";
import { budgetOf, operate, settledHeapMib, watchTasks } from "./graph-budget.ts";
import { listMs } from "./list-directly.ts";
import { median, printTable } from "./statistics.ts";

const SIZES = [50, 500, 2_000, 5_000];
/** So often a page is opened that others look at. */
const ROUNDS = 5;

/**
 * The graph of environments of four sizes, a fresh product each: from opening the page until every resource is counted and cards are
 * painted, beside listing directly; then what it holds, and how it performs when it is moved and changes.
 */
export async function benchFirstScreen(openPage: () => Promise<Page>): Promise<void> {
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const world = await Sandbox.start({ cluster });
  try {
    const admin = world.endpoints.kubeconfigs.cluster;
    await fillFirstGraphs(admin, SIZES);
    const rows: Record<string, string | number>[] = [];
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--kubeconfig", admin, "--namespace", namespaceOf(size)] });
      try {
        const page = await openPage();
        const directMs = await listMs(targetOf(admin), FIRST_GRAPH_KINDS, namespaceOf(size));
        const url = graphUrl(sandbox, namespaceOf(size));
        const longestTasks = await watchTasks(page);
        await signIn(page, sandbox, { username: "maintainer", url: new URL("/", url).href });
        // The first view of it, in a browser that has the program: it comes from the index.
        const opened = await openGraph(page, url, size);
        const opening = await longestTasks();
        const warmMs: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) warmMs.push((await openGraph(page, url, size)).cardMs);
        const moved = await operate(page, { target: targetOf(admin), namespace: namespaceOf(size) });
        const heapMib = await settledHeapMib(page);
        rows.push({
          cluster,
          resources: size,
          "direct ms": directMs,
          "first card ms": opened.cardMs,
          "all in the graph ms": opened.allMs,
          ratio: opened.allMs / directMs,
        });
        figures.push(...budgetOf(size, { cardMs: median(warmMs), opening, ...moved, heapMib }));
        await page.close();
      } finally {
        await sandbox.stop();
      }
    }
    printTable("First graph on the screen, a fresh product each", rows);
    printFigures("The graph against its budget", figures);
  } finally {
    await world.stop();
  }
}

interface Opened {
  readonly cardMs: number;
  readonly allMs: number;
}

/** Opens a graph, until there is a card, and until every resource is counted. Durations in ms. */
async function openGraph(page: Page, url: string, size: number): Promise<Opened> {
  const started = performance.now();
  await page.goto(url);
  await painted(page, "[data-view-version] [data-node-id]");
  const cardMs = performance.now() - started;
  await page.waitForFunction((wanted) => {
    const labels = [...document.querySelectorAll("[aria-label^='Graph: ']")].map((each) => each.getAttribute("aria-label") ?? "");
    return labels.some((label) => Number(/\d+/.exec(label.replaceAll(/[,.]/g, ""))?.[0]) >= wanted);
  }, size);
  return { cardMs, allMs: performance.now() - started };
}
