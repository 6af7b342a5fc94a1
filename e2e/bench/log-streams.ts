import { setTimeout as sleep } from "node:timers/promises";

import { timeOfLine } from "@binnacle/kubelet-stand-in";
import { LogLineSchema } from "@binnacle/proto/dashboard-logs";
import { toBinary } from "@bufbuild/protobuf";
import { chromium, type Browser } from "playwright-core";

import { logsOf, openSession } from "../support/dashboard-client.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { Sandbox } from "../support/sandbox.ts";
import { CHATTY_ENVIRONMENT as ENVIRONMENT, logsOfWeb, runChattyPod } from "./chatty-pod.ts";
import { printFigures, type Figure } from "./goals.ts";
import { cpuMsOf } from "./process-cpu.ts";
import { percentile } from "./statistics.ts";

const PIXEL_RATE = 10;
const PIXEL_MS = 15_000;
const LOAD_RATE = 10_000;
const LOAD_MS = 10_000;
const MB = 1_000_000;

declare global {
  interface Window {
    benchLines: Map<number, number>;
  }
}

/** Logs of a whole product: from the line at its container to the screen, and what a megabyte a second costs. */
export async function benchLogStreams(): Promise<void> {
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const sandbox = await Sandbox.start({ cluster });
    try {
      printFigures(`Log lines to the screen, ${PIXEL_RATE} a second, ${cluster} cluster`, await pixelFigures(browser, sandbox));
      printFigures(`A viewer of logs over the API, CPU of one core, ${cluster} cluster`, await loadFigures(sandbox));
    } finally {
      await sandbox.stop();
    }
  } finally {
    await browser.close();
  }
}

async function pixelFigures(browser: Browser, sandbox: Sandbox): Promise<readonly Figure[]> {
  const profile = await runChattyPod(sandbox, { rate: PIXEL_RATE });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const url = `${graphUrl(sandbox, ENVIRONMENT).replace("view=graph", "view=list")}&sel=apps/deployments/${ENVIRONMENT}/web&tab=logs`;
  await signIn(page, sandbox, { username: "maintainer", url });
  await page.locator("[data-line]").first().waitFor();
  await page.evaluate(() => {
    window.benchLines = new Map();
    const look = (): void => {
      for (const line of document.querySelectorAll("[data-line]")) {
        const number = Number(/line=(\d+)/.exec(line.textContent ?? "")?.[1] ?? Number.NaN);
        if (Number.isNaN(number) || window.benchLines.has(number)) continue;
        window.benchLines.set(number, Number.NaN);
        // Two frames later it is on the screen.
        requestAnimationFrame(() => requestAnimationFrame(() => window.benchLines.set(number, performance.timeOrigin + performance.now())));
      }
    };
    look();
    window.benchLines.forEach((_, number) => window.benchLines.set(number, Number.NaN));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const beganMs = Date.now();
  await sleep(PIXEL_MS);
  const seen = await page.evaluate(() => [...window.benchLines]);
  await page.close();
  const ms = seen
    .map(([number, paintedMs]) => ({ writtenMs: Number(timeOfLine(profile, number)) / 1e6, paintedMs }))
    .filter(({ writtenMs, paintedMs }) => writtenMs > beganMs && !Number.isNaN(paintedMs))
    .map(({ writtenMs, paintedMs }) => paintedMs - writtenMs);
  return [
    { figure: "lines that were seen", value: ms.length, unit: "", least: (PIXEL_RATE * PIXEL_MS) / 2_000 },
    { figure: "line → pixel p50", value: percentile(ms, 0.5), unit: "ms" },
    { figure: "line → pixel p95", value: percentile(ms, 0.95), unit: "ms", goal: 200 },
  ];
}

async function loadFigures(sandbox: Sandbox): Promise<readonly Figure[]> {
  await runChattyPod(sandbox, { rate: LOAD_RATE });
  const { pids } = sandbox.endpoints;
  const stop = new AbortController();
  const stream = logsOf(await openSession(sandbox, "maintainer")).readLogs(
    { ...logsOfWeb(sandbox), follow: true, tailLines: 0 },
    { signal: stop.signal },
  );
  const processes = { web: [pids.web], kas: pids.kas, agentk: pids.agentk };
  const cpu = (): number[] => Object.values(processes).map((of) => of.reduce((sum, pid) => sum + cpuMsOf(pid), 0));
  let [bytes, beganMs] = [0, Number.NaN];
  let before = cpu();
  try {
    for await (const { message } of stream) {
      if (message.case !== "lines") continue;
      if (Number.isNaN(beganMs)) [beganMs, before] = [performance.now(), cpu()];
      for (const line of message.value.lines) bytes += toBinary(LogLineSchema, line).length;
      if (performance.now() - beganMs > LOAD_MS) break;
    }
  } finally {
    stop.abort();
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  const rate = bytes / MB / seconds;
  const after = cpu();
  return [
    { figure: "rate", value: rate, unit: "MB/s" },
    ...Object.keys(processes).map((name, index): Figure => {
      return { figure: `${name}, per MB/s`, value: ((after[index] ?? 0) - (before[index] ?? 0)) / 10 / seconds / rate, unit: "%" };
    }),
  ];
}
