import { fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { HealthStatus } from "@binnacle/proto/dashboard";
import { stringify } from "yaml";
import { chromium, type CDPSession, type Page } from "playwright-core";

import { openSessionAt, overviewOf, type DashboardSession } from "../support/dashboard-client.ts";
import { freePort } from "../support/free-port.ts";
import { printFigures, type Figure } from "./goals.ts";
import { OverviewReader } from "./overview-reader.ts";
import { memoryMibOf } from "./process-cpu.ts";
import { percentile } from "./statistics.ts";
import { waitUntil } from "./wait-until.ts";

const STAND_INS = fileURLToPath(new URL("../../apps/web/dev/summarizing-agents.ts", import.meta.url));
const WEB = fileURLToPath(new URL("../../apps/web/src/main.ts", import.meta.url));
const AGENTS = 50;
const EACH = 40;
const ENVIRONMENTS = AGENTS * EACH;
const PROJECTS = 400;
const USERS = 10;
const VIEWERS = 50;
const ROUNDS = 40;
const SETTLE_MS = 10_000;
const LIMIT_MS = 60_000;

/** What the stand-ins say of themselves. */
interface World {
  readonly mainApplication: string;
  readonly kas: string;
  /** Of ten users; each has an identity of their own in the clusters. */
  readonly tokens: readonly string[];
}

/**
 * An overview of 2,000 environments over 50 agents in 400 projects: a real web process and a real browser, in front of stand-ins of kas, of its
 * agents and of the main application that speak their protocols.
 */
export async function benchOverview(): Promise<void> {
  const standIns = fork(STAND_INS, [AGENTS, EACH, PROJECTS, USERS].map(String));
  const directory = mkdtempSync(join(tmpdir(), "binnacle-bench-overview-"));
  try {
    const world = await heard<World>(standIns);
    const web = await startWeb(world, directory);
    try {
      printFigures("An overview of 2,000 environments, one browser", await browserFigures(standIns, world, web));
      printFigures("The same for fifty viewers", await viewersFigures(world, web));
    } finally {
      await web.stop();
    }
  } finally {
    standIns.kill();
    rmSync(directory, { recursive: true });
  }
}

interface Web {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** The built dashboard by itself: no cluster of a sandbox takes time from what is measured. */
async function startWeb({ mainApplication, kas }: World, directory: string): Promise<Web> {
  const [port, observability] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const configuration = {
    listen: { address: `127.0.0.1:${port}` },
    observability: { listen: { address: `127.0.0.1:${observability}` } },
    external_url: url,
    main_application: { name: "Example", external_url: url, internal_url: mainApplication, troubleshooting_url: `${url}/help` },
    kas: { external_url: kas, internal_url: kas },
  };
  const [file, ready] = [join(directory, "web.yaml"), join(directory, "ready.json")];
  writeFileSync(file, stringify(configuration));
  const flags = ["--max-semi-space-size=8", "--heap-growing-percent=50"];
  const child = spawn(process.execPath, [...flags, WEB, "--configuration-file", file, "--ready-file", ready], {
    stdio: "ignore",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  await waitUntil(() => existsSync(ready));
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { url, pid: child.pid ?? 0, stop };
}

/** What fifty viewers cost the web process. */
async function viewersFigures({ tokens }: World, { url, pid }: Web): Promise<readonly Figure[]> {
  const sessions: DashboardSession[] = [];
  for (let viewer = 0; viewer < VIEWERS; viewer += 1) sessions.push(await openSessionAt(url, tokens[viewer % USERS] ?? ""));
  const read = async (some: readonly DashboardSession[]): Promise<readonly OverviewReader[]> => {
    const readers: OverviewReader[] = [];
    // One after the other, so that the stand-ins, which are one process, answer in time.
    for (const session of some) {
      const reader = new OverviewReader(overviewOf(session));
      readers.push(reader);
      await waitUntil(() => reader.known === ENVIRONMENTS);
    }
    await sleep(SETTLE_MS);
    return readers;
  };
  // What one overview needs at all, and what the engine compiles, is no viewer's.
  const first = await read(sessions.slice(0, 1));
  const before = memoryMibOf(pid);
  const others = await read(sessions.slice(1));
  const held = memoryMibOf(pid) - before;
  for (const reader of [...first, ...others]) reader.close();
  await sleep(SETTLE_MS);
  return [
    { figure: `${VIEWERS} viewers with ${USERS} identities: memory of web for them (RSS)`, value: held, unit: "MiB", goal: 150 },
    { figure: "the same for each viewer and environment", value: (held * 1_024) / (VIEWERS * ENVIRONMENTS), unit: "kB", goal: 3 },
    { figure: "all environments known to a viewer, without a browser", value: first[0]?.allKnownAfterMs ?? Number.NaN, unit: "ms" },
  ];
}

/** What a browser shows of a web process that has served the overview before. */
async function browserFigures(standIns: ChildProcess, { tokens }: World, { url }: Web): Promise<readonly Figure[]> {
  const warm = new OverviewReader(overviewOf(await openSessionAt(url, tokens[1] ?? "")));
  await waitUntil(() => warm.known === ENVIRONMENTS);
  warm.close();
  const browser = await chromium.launch({
    executablePath: process.env["HEADLESS_SHELL_PATH"] ?? process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    const { cookie } = await openSessionAt(url, tokens[0] ?? "");
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    const beganMs = performance.now();
    await page.goto(`${url}/?view=list`, { waitUntil: "commit" });
    await page.locator('tr[data-environment]:not([data-health="none"])').nth(10).waitFor({ timeout: LIMIT_MS });
    const firstMs = performance.now() - beganMs;
    await page.getByText(`${ENVIRONMENTS} of ${ENVIRONMENTS} environments known`, { exact: false }).waitFor({ timeout: LIMIT_MS });
    const allMs = performance.now() - beganMs;
    const elements = [await elementsOf(page)];
    for (const view of ["matrix", "agents", "list"]) {
      await page.goto(`${url}/?view=${view}`);
      await page.getByText(`${ENVIRONMENTS} of ${ENVIRONMENTS} environments known`, { exact: false }).waitFor({ timeout: LIMIT_MS });
      elements.push(await elementsOf(page));
    }
    await sleep(SETTLE_MS / 2);
    return [
      { figure: "cold browser: rows with health on the screen", value: firstMs, unit: "ms", goal: 1_500 },
      { figure: "all environments known", value: allMs, unit: "ms", goal: 10_000 },
      { figure: "elements in the page, most of all views", value: Math.max(...elements), unit: "", goal: 1_500 },
      ...(await changeFigures(standIns, page)),
    ];
  } finally {
    await browser.close();
  }
}

/** From an agent that tells another health until the screen shows it, and the work of the page for one update. */
async function changeFigures(standIns: ChildProcess, page: Page): Promise<readonly Figure[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const idleFrom = await taskMsOf(cdp);
  await sleep(SETTLE_MS / 2);
  const idlePerMs = ((await taskMsOf(cdp)) - idleFrom) / (SETTLE_MS / 2);
  const lags: number[] = [];
  const works: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const degraded = page.locator('tr[data-environment][data-health="degraded"]');
    const before = await degraded.count();
    const beganMs = performance.now();
    const from = await taskMsOf(cdp);
    standIns.send({ tell: "ns-100-0", status: round % 2 === 0 ? HealthStatus.DEGRADED : HealthStatus.HEALTHY });
    await page.waitForFunction(
      (count) => document.querySelectorAll('tr[data-environment][data-health="degraded"]').length !== count,
      before,
      { timeout: LIMIT_MS, polling: "raf" },
    );
    const lagMs = performance.now() - beganMs;
    await sleep(700);
    lags.push(lagMs);
    works.push((await taskMsOf(cdp)) - from - idlePerMs * (lagMs + 700));
  }
  return [
    { figure: "agent tells another health → on the screen, p50", value: percentile(lags, 0.5), unit: "ms" },
    { figure: "agent tells another health → on the screen, p95", value: percentile(lags, 0.95), unit: "ms", goal: 2_000 },
    { figure: "work of the page for one update, p50", value: percentile(works, 0.5), unit: "ms", goal: 16 },
  ];
}

function elementsOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll("body *").length);
}

async function taskMsOf(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}

async function heard<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, "message")) as [T];
  return message;
}
