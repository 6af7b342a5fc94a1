import type { Page } from "playwright-core";

import { targetOf } from "../support/bearer-request.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { Sandbox } from "../support/sandbox.ts";
import { FIRST_GRAPH_KINDS, FIRST_GRAPH_SIZES, fillFirstGraphs, namespaceOf } from "./first-graph.ts";
import { listMs } from "./list-directly.ts";
import { printTable } from "./statistics.ts";

/** First graph on the screen: from opening the page until every resource is counted and cards are painted, beside listing directly. */
export async function benchFirstScreen(openPage: () => Promise<Page>): Promise<void> {
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const world = await Sandbox.start({ cluster });
  try {
    const admin = world.endpoints.kubeconfigs.cluster;
    await fillFirstGraphs(admin);
    const rows: Record<string, string | number>[] = [];
    for (const size of FIRST_GRAPH_SIZES) {
      const namespace = namespaceOf(size);
      const sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--kubeconfig", admin, "--namespace", namespace] });
      try {
        const page = await openPage();
        const directMs = await listMs(targetOf(admin), FIRST_GRAPH_KINDS, namespace);
        // To the index: nobody has looked at the environment before, but the browser has the program.
        const url = graphUrl(sandbox, namespace);
        await signIn(page, sandbox, { username: "maintainer", url: new URL("/", url).href });
        const started = performance.now();
        await page.goto(url);
        await page
          .getByRole("button", { name: /^(Deployment|ConfigMap|Pod) / })
          .first()
          .waitFor();
        const cardMs = performance.now() - started;
        await page.waitForFunction((wanted) => {
          const labels = [...document.querySelectorAll("[aria-label^='Graph: ']")].map((each) => each.getAttribute("aria-label") ?? "");
          return labels.some((label) => Number(/\d+/.exec(label.replaceAll(/[,.]/g, ""))?.[0]) >= wanted);
        }, size);
        const allMs = performance.now() - started;
        rows.push({
          cluster,
          resources: size,
          "direct ms": directMs,
          "first card ms": cardMs,
          "all in the graph ms": allMs,
          ratio: allMs / directMs,
        });
        await page.close();
      } finally {
        await sandbox.stop();
      }
    }
    printTable("First graph on the screen, a fresh product each", rows);
  } finally {
    await world.stop();
  }
}
