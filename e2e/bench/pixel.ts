import { chromium } from "playwright-core";

import { graphUrl, signIn } from "../support/environment-page.ts";
import { send, targetOf } from "../support/bearer-request.ts";
import { pick } from "../support/endpoints.ts";
import { Sandbox } from "../support/sandbox.ts";
import { percentile, printTable } from "./statistics.ts";

const EVENTS = 40;

declare global {
  interface Window {
    benchSeen: Map<string, number>;
  }
}

/** Cluster event to pixel: from the API server's answer to a create until the card is painted in Chromium, one event at a time. */
export async function benchPixel(): Promise<void> {
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const sandbox = await Sandbox.start({ cluster });
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const { environments, kubeconfigs } = sandbox.endpoints;
    const { namespace } = pick(environments, (entry) => entry.name === "staging");
    const target = targetOf(kubeconfigs.cluster);
    await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "staging").replace("view=graph", "view=list") });
    await page.getByText("ImagePullBackOff").first().waitFor();
    await page.evaluate(() => {
      window.benchSeen = new Map();
      const look = (): void => {
        for (const name of document.body.innerText.match(/beat-\d+/g) ?? []) {
          // Two frames later it is on the screen.
          if (!window.benchSeen.has(name)) {
            window.benchSeen.set(name, Number.NaN);
            requestAnimationFrame(() =>
              requestAnimationFrame(() => window.benchSeen.set(name, performance.timeOrigin + performance.now())),
            );
          }
        }
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    await page.getByRole("searchbox").first().fill("beat-");
    const samples: number[] = [];
    for (let index = 0; index < EVENTS; index += 1) {
      const name = `beat-${index}`;
      const answer = await send(target, `/api/v1/namespaces/${namespace}/configmaps`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: {} }),
      });
      await answer.body.dump();
      const created = performance.timeOrigin + performance.now();
      const painted = await page.waitForFunction((wanted) => {
        const at = window.benchSeen.get(wanted);
        return at !== undefined && !Number.isNaN(at) ? at : undefined;
      }, name);
      samples.push(Number(await painted.jsonValue()) - created);
      // The list is virtual: only what is in view is painted.
      await send(target, `/api/v1/namespaces/${namespace}/configmaps/${name}`, { method: "DELETE" }).then((deleted) => deleted.body.dump());
    }
    printTable(`Cluster event to pixel, ${EVENTS} events one at a time, ${cluster} cluster`, [
      { "p50 ms": percentile(samples, 0.5), "p95 ms": percentile(samples, 0.95), "max ms": Math.max(...samples) },
    ]);
  } finally {
    await browser.close();
    await sandbox.stop();
  }
}
