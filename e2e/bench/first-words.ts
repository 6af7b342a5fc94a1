import type { Browser } from "playwright-core";

import { graphUrl, signIn } from "../support/environment-page.ts";
import { haltProcesses } from "../support/process-control.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { painted } from "../support/painted.ts";
import type { Figure } from "./goals.ts";

/** "Never more than 2 s of grey when the server has an answer". */
const MAX_MS = 2_000;
const CARD = "[data-view-version] [data-node-id]";
const OFFLINE = "[data-connection='agent-offline']";

/**
 * How soon a page that is opened while its agent hangs shows the last picture: right after the break, when no program has detected it yet, and
 * when kas knows that the agent is offline.
 */
export async function firstWordsFigures(browser: Browser, sandbox: Sandbox): Promise<readonly Figure[]> {
  const url = graphUrl(sandbox, "production");
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await signIn(page, sandbox, { username: "maintainer", url });
  await painted(page, CARD);
  const timed = async (selector: string): Promise<number> => {
    const fresh = await context.newPage();
    const startedMs = performance.now();
    await fresh.goto(url);
    await painted(fresh, selector);
    const tookMs = performance.now() - startedMs;
    await fresh.close();
    return tookMs;
  };
  const wake = haltProcesses(sandbox.endpoints.pids.agentk[0] ?? 0);
  try {
    const unnoticedMs = await timed(CARD);
    await painted(page, OFFLINE);
    return [
      { figure: "page opened right after its agent froze: last picture", value: unnoticedMs, unit: "ms", goal: MAX_MS },
      { figure: "page opened when kas knows: last picture", value: await timed(CARD), unit: "ms", goal: MAX_MS },
      { figure: "page opened when kas knows: that the agent is offline", value: await timed(OFFLINE), unit: "ms", goal: MAX_MS },
    ];
  } finally {
    wake();
    await context.close();
  }
}
