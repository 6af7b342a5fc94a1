import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

import { graphUrl, signIn } from "../support/environment-page.ts";
import { painted } from "../support/painted.ts";
import type { Sandbox } from "../support/sandbox.ts";
import type { Figure } from "./goals.ts";
import { median } from "./statistics.ts";
import { workerScriptBytes } from "./worker-scripts.ts";

const KB = 1000;
const ROUNDS = 5;
/** Without a script for this long, no more come. */
const QUIET_MS = 2_000;
/** The page says how the environment is: a word, not that it is still reading. */
const USEFUL = ":is([data-health='healthy'], [data-health='progressing'], [data-health='degraded'])[data-partial]";
/** Goal for the scripts of the first route, as they are sent. */
const MAX_SCRIPT_KB = 180;

/** What came over the wire for one navigation, in bytes as they were sent (headers included, as the browser counts them, but for `bodies`). */
interface Traffic {
  readonly scripts: number;
  /** The same without the headers of their files. */
  readonly bodies: number;
  readonly plainScripts: number;
  readonly html: number;
  readonly styles: number;
  readonly fonts: number;
}

/**
 * What a browser that has never been here loads for an environment, until its summary is there, and how soon the health of the environment can
 * be read: by the first who looks, and by one who comes while the view is warm. Each round is a browser without a cache that is signed in.
 */
export async function firstRouteFigures(browser: Browser, sandbox: Sandbox): Promise<readonly Figure[]> {
  const url = graphUrl(sandbox, "production").replace("view=graph", "view=summary");
  const session = await signedIn(browser, sandbox, url);
  const cold = await visit(browser, session, url);
  const warm: Visit[] = [];
  for (let round = 0; round < ROUNDS; round += 1) warm.push(await visit(browser, session, url));
  const { traffic } = cold;
  return [
    { figure: "JavaScript of an environment's first route, as sent", value: traffic.bodies / KB, unit: "kB", goal: MAX_SCRIPT_KB },
    { figure: "the same with the headers of its files", value: traffic.scripts / KB, unit: "kB" },
    { figure: "the same, not compressed", value: traffic.plainScripts / KB, unit: "kB" },
    { figure: "JavaScript until the page is live, with its worker, as sent", value: (cold.live.bodies + cold.worker) / KB, unit: "kB" },
    { figure: "of that in the worker", value: cold.worker / KB, unit: "kB" },
    { figure: "and with what an idle page fetches", value: (cold.idle.bodies + cold.worker) / KB, unit: "kB" },
    { figure: "HTML, styles, fonts, as sent", value: (traffic.html + traffic.styles + traffic.fonts) / KB, unit: "kB" },
    { figure: "first useful picture (health of the environment), no earlier view", value: cold.usefulMs, unit: "ms" },
    { figure: `the same with a warm view, median of ${ROUNDS}`, value: median(warm.map(({ usefulMs }) => usefulMs)), unit: "ms" },
  ];
}

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface Visit {
  readonly usefulMs: number;
  /** Until the page is loaded and its health can be read. */
  readonly traffic: Traffic;
  /** Until its workloads are those of the stream. */
  readonly live: Traffic;
  /** Until it has fetched what is wanted most. */
  readonly idle: Traffic;
  /** Bytes of the scripts of its worker, without headers. */
  readonly worker: number;
}

/** A session, without anything that its browser has loaded. */
async function signedIn(browser: Browser, sandbox: Sandbox, url: string): Promise<Session> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await signIn(page, sandbox, { username: "maintainer", url: new URL("/", url).href });
    return await context.storageState();
  } finally {
    await context.close();
  }
}

async function visit(browser: Browser, session: Session, url: string): Promise<Visit> {
  // A context of its own: neither its cache nor its memory has anything of another.
  const context = await browser.newContext({ storageState: session });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    const counted = countTraffic(devtools);
    const started = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await painted(page, USEFUL);
    const usefulMs = performance.now() - started;
    await page.waitForLoadState("load");
    const traffic = counted();
    await page.locator("tbody tr[data-node-id]").first().waitFor();
    const live = counted();
    const worker = await workerScriptBytes(browser);
    return { usefulMs, traffic, live, idle: await settled(page, counted), worker };
  } finally {
    await context.close();
  }
}

/** What is loaded when nothing more comes for a while. Playwright takes a shared worker's script as never loaded, so its "networkidle" never is. */
async function settled(page: Page, counted: () => Traffic): Promise<Traffic> {
  let before = counted();
  for (;;) {
    await page.waitForTimeout(QUIET_MS);
    const now = counted();
    if (now.scripts === before.scripts) return now;
    before = now;
  }
}

/** Counts what is loaded from now on. */
function countTraffic(devtools: CDPSession): () => Traffic {
  const types = new Map<string, string>();
  const sent = new Map<string, number>();
  const heads = new Map<string, number>();
  const headers = new Map<string, number>();
  const plain = new Map<string, number>();
  const add = (sums: Map<string, number>, id: string, bytes: number): void => {
    const type = types.get(id) ?? "";
    sums.set(type, (sums.get(type) ?? 0) + bytes);
  };
  devtools.on("Network.responseReceived", ({ requestId, type, response }) => {
    types.set(requestId, type);
    heads.set(requestId, response.encodedDataLength);
  });
  devtools.on("Network.dataReceived", ({ requestId, dataLength }) => add(plain, requestId, dataLength));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    add(sent, requestId, encodedDataLength);
    add(headers, requestId, heads.get(requestId) ?? 0);
  });
  return () => ({
    scripts: sent.get("Script") ?? 0,
    bodies: (sent.get("Script") ?? 0) - (headers.get("Script") ?? 0),
    plainScripts: plain.get("Script") ?? 0,
    html: sent.get("Document") ?? 0,
    styles: sent.get("Stylesheet") ?? 0,
    fonts: sent.get("Font") ?? 0,
  });
}
