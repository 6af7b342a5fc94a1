import { setTimeout as sleep } from "node:timers/promises";

import { logProfile, timeOfLine } from "@binnacle/kubelet-stand-in";
import { LogLineSchema } from "@binnacle/proto/dashboard-logs";
import { toBinary } from "@bufbuild/protobuf";
import { chromium, type Browser } from "playwright-core";

import { send, targetOf } from "../support/bearer-request.ts";
import { logsOf, openSession } from "../support/dashboard-client.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { kubectl } from "../support/kubectl.ts";
import { Sandbox } from "../support/sandbox.ts";
import { printFigures, type Figure } from "./goals.ts";
import { cpuMsOf } from "./process-cpu.ts";
import { percentile } from "./statistics.ts";

const ENVIRONMENT = "staging";
const POD_MS = 60_000;
const PIXEL_RATE = 10;
const PIXEL_MS = 15_000;
const LOAD_RATE = 10_000;
const LOAD_MS = 10_000;
const MB = 1_000_000;
const GETS = 400;
/** Matches no line, and is no literal. */
const NO_LINE = "(li[n]e=)+[0-9]+ never$";

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
      printFigures(`GETs through kas while an expression is searched, ${cluster} cluster`, await searchFigures(sandbox));
    } finally {
      await sandbox.stop();
    }
  } finally {
    await browser.close();
  }
}

/** The one pod of `web`, with lines at a rate. @returns its profile, which says when each line is written */
async function runPod(sandbox: Sandbox, rate: number): Promise<ReturnType<typeof logProfile>> {
  const direct = (...args: string[]): Promise<string> => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", ENVIRONMENT, ...args]);
  const annotations = { "bench.kas/log-rate": String(rate) };
  const patch = { spec: { replicas: 1, template: { metadata: { annotations } } } };
  await direct("patch", "deployment", "web", "--patch", JSON.stringify(patch));
  await direct("rollout", "status", "deployment/web", "--timeout=120s");
  const deadline = Date.now() + POD_MS;
  while (Date.now() < deadline) {
    // It is a list of pods, of which the old ones go.
    const { items } = JSON.parse(await direct("get", "pods", "-l", "app.kubernetes.io/name=web", "-o", "json")) as {
      readonly items: readonly {
        readonly metadata: {
          readonly uid: string;
          readonly annotations: Readonly<Record<string, string>>;
          readonly deletionTimestamp?: string;
        };
        readonly spec: { readonly containers: readonly { readonly name: string }[] };
        readonly status: {
          readonly containerStatuses?: readonly { readonly state: { readonly running?: { readonly startedAt: string } } }[];
        };
      }[];
    };
    const [pod] = items;
    const startedAt = pod?.status.containerStatuses?.[0]?.state.running?.startedAt;
    if (items.length === 1 && pod !== undefined && startedAt !== undefined) {
      const container = pod.spec.containers[0]?.name ?? "";
      return logProfile(pod.metadata.annotations, {
        seed: `${pod.metadata.uid}/${container}/0`,
        container,
        startedMs: Date.parse(startedAt),
      });
    }
    await sleep(200);
  }
  throw new Error(`the one pod of web did not run after ${POD_MS / 1_000} s`);
}

async function pixelFigures(browser: Browser, sandbox: Sandbox): Promise<readonly Figure[]> {
  const profile = await runPod(sandbox, PIXEL_RATE);
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

/** Names of the logs of `web`. */
function logsOfWeb(sandbox: Sandbox) {
  const { project } = pick(sandbox.endpoints.environments, (entry) => entry.name === ENVIRONMENT);
  const ref = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: ENVIRONMENT, name: "web" };
  return { projectPath: project, environment: ENVIRONMENT, refs: [ref] };
}

async function loadFigures(sandbox: Sandbox): Promise<readonly Figure[]> {
  await runPod(sandbox, LOAD_RATE);
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

/** What a search at the agent costs its neighbours; in turns, so that what disturbs one phase disturbs both. The pod has written for `LOAD_MS` before. */
async function searchFigures(sandbox: Sandbox): Promise<readonly Figure[]> {
  const target = targetOf(sandbox.endpoints.kubeconfigs.viaKas);
  const logs = logsOf(await openSession(sandbox, "maintainer"));
  const getMs = async (): Promise<number> => {
    const beganMs = performance.now();
    const { body, statusCode } = await send(target, `/api/v1/namespaces/${ENVIRONMENT}/configmaps?limit=1`);
    await body.dump();
    if (statusCode !== 200) throw new Error(`a GET through kas was answered ${statusCode}`);
    return performance.now() - beganMs;
  };
  const search = async (pattern: string, signal: AbortSignal, onHit: () => void): Promise<void> => {
    const filter = { pattern, isRegularExpression: true };
    try {
      for await (const { message } of logs.readLogs({ ...logsOfWeb(sandbox), filter }, { signal })) if (message.case === "lines") onHit();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  const [idle, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < 4; round += 1) {
    for (let get = 0; get < GETS / 4; get += 1) idle.push(await getMs());
    const stop = new AbortController();
    const searching = (async () => {
      while (!stop.signal.aborted) await search(NO_LINE, stop.signal, () => {});
    })();
    for (let get = 0; get < GETS / 4; get += 1) busy.push(await getMs());
    stop.abort();
    await searching;
  }
  const beganMs = performance.now();
  let firstHitMs = Number.NaN;
  const found = new AbortController();
  await search(`li[n]e=[0-9]+`, found.signal, () => {
    firstHitMs = performance.now() - beganMs;
    found.abort();
  });
  return [
    { figure: "GET p95, idle", value: percentile(idle, 0.95), unit: "ms" },
    { figure: "GET p95 during a search / idle", value: percentile(busy, 0.95) / percentile(idle, 0.95), unit: "", goal: 2 },
    { figure: "first hit", value: firstHitMs, unit: "ms", goal: 1_000 },
  ];
}
