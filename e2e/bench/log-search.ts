import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import type { Logs, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import type { Client } from "@connectrpc/connect";

import { send, targetOf } from "../support/bearer-request.ts";
import { logsOf, openSession } from "../support/dashboard-client.ts";
import { Sandbox } from "../support/sandbox.ts";
import { CHATTY_ENVIRONMENT, logsOfWeb, runChattyPod } from "./chatty-pod.ts";
import { printFigures, type Figure } from "./goals.ts";
import { cpuMsOf, memoryMibOf } from "./process-cpu.ts";
import { percentile } from "./statistics.ts";

const SPEED = fileURLToPath(new URL("../../packages/pod-logs/dev/search-speed.ts", import.meta.url));
const MB = 1_000_000;
/** About 55 MB are there when the searches begin. */
const RATE = 50_000;
const ROTATE_LINES = 5_000_000;
const WRITTEN_MS = 10_000;
const GETS = 400;
const ROUNDS = 4;
/** Matches no line, and is no literal. */
const NO_LINE = "(li[n]e=)+[0-9]+ never$";
/** Matches every line. */
const ANY_LINE = "li[n]e=[0-9]+";
const SAMPLE_MS = 50;
const WINDOW_MS = 100;
/** CPU of an agent that searches nothing, in such a window. */
const IDLE_CPU_MS = 20;
const CANCEL_MS = 10_000;

/** How fast logs are searched, and what a search costs the agent and its neighbours. */
export async function benchLogSearch(): Promise<void> {
  printFigures("Search of a made-up log, from the bytes of a kubelet to matches, by the CPU of all threads", await engineFigures());
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const sandbox = await Sandbox.start({ cluster });
  try {
    const searches = new Searches(sandbox, logsOf(await openSession(sandbox, "maintainer")));
    await runChattyPod(sandbox, { rate: RATE, rotateLines: ROTATE_LINES });
    await sleep(WRITTEN_MS);
    printFigures(`Search of one pod's log by agentk, ${cluster} cluster, all programs on the same cores`, [
      ...(await throughputFigures(searches)),
      ...(await neighbourFigures(searches)),
      ...(await latencyFigures(searches)),
    ]);
  } finally {
    await sandbox.stop();
  }
}

/** @throws with its output when it prints other lines */
async function engineFigures(): Promise<readonly Figure[]> {
  const child = spawn(process.execPath, [SPEED], { stdio: ["ignore", "pipe", "inherit"] });
  const output = await text(child.stdout);
  const figures = [...output.matchAll(/^(.+): \d+ MB\/s, (\d+) MB per second of CPU/gm)];
  if (figures.length === 0) throw new Error(`${SPEED} printed ${output}`);
  return figures.map(([, filter = "", rate]) => ({ figure: filter, value: Number(rate), unit: "MB/s", least: 30 }));
}

/** Searches of one viewer. */
class Searches {
  readonly sandbox: Sandbox;
  readonly #logs: Client<typeof Logs>;

  constructor(sandbox: Sandbox, logs: Client<typeof Logs>) {
    this.sandbox = sandbox;
    this.#logs = logs;
  }

  get agentk(): number {
    return this.sandbox.endpoints.pids.agentk[0] ?? 0;
  }

  /** Searches what there is, to its end or until `signal` aborts. */
  async run(
    pattern: string,
    signal: AbortSignal,
    onMessage: (message: ReadLogsResponse["message"]) => void = () => undefined,
  ): Promise<void> {
    const filter = { pattern, isRegularExpression: true };
    try {
      for await (const { message } of this.#logs.readLogs({ ...logsOfWeb(this.sandbox), filter }, { signal })) onMessage(message);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** One search to its end. */
async function throughputFigures(searches: Searches): Promise<readonly Figure[]> {
  const pid = searches.agentk;
  // The code of logs and its thread are loaded with the first search.
  const first = new AbortController();
  await searches.run(ANY_LINE, first.signal, () => first.abort());
  const beforeMib = memoryMibOf(pid);
  let peakMib = beforeMib;
  const sampler = setInterval(() => (peakMib = Math.max(peakMib, memoryMibOf(pid))), SAMPLE_MS);
  const [beganMs, cpuMs] = [performance.now(), cpuMsOf(pid)];
  let bytes = 0;
  try {
    await searches.run(NO_LINE, new AbortController().signal, (message) => {
      if (message.case === "progress") bytes = Number(message.value.progresses.at(-1)?.bytes ?? bytes);
    });
  } finally {
    clearInterval(sampler);
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  const cpuSeconds = (cpuMsOf(pid) - cpuMs) / 1_000;
  return [
    { figure: "searched", value: bytes / MB, unit: "MB" },
    { figure: "by the clock", value: bytes / MB / seconds, unit: "MB/s" },
    { figure: "by the CPU of agentk", value: bytes / MB / cpuSeconds, unit: "MB/s", least: 30 },
    { figure: "agentk: peak over before", value: peakMib - beforeMib, unit: "MiB", goal: 64 },
  ];
}

/** In turns, so that what disturbs one phase disturbs both. */
async function neighbourFigures(searches: Searches): Promise<readonly Figure[]> {
  const target = targetOf(searches.sandbox.endpoints.kubeconfigs.viaKas);
  const getMs = async (): Promise<number> => {
    const beganMs = performance.now();
    const { body, statusCode } = await send(target, `/api/v1/namespaces/${CHATTY_ENVIRONMENT}/configmaps?limit=1`);
    await body.dump();
    if (statusCode !== 200) throw new Error(`a GET through kas was answered ${statusCode}`);
    return performance.now() - beganMs;
  };
  const [idle, busy]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let get = 0; get < GETS / ROUNDS; get += 1) idle.push(await getMs());
    const stop = new AbortController();
    const searching = (async () => {
      while (!stop.signal.aborted) await searches.run(NO_LINE, stop.signal);
    })();
    for (let get = 0; get < GETS / ROUNDS; get += 1) busy.push(await getMs());
    stop.abort();
    await searching;
  }
  return [
    { figure: "GET p95, idle", value: percentile(idle, 0.95), unit: "ms" },
    { figure: "GET p95 during a search / idle", value: percentile(busy, 0.95) / percentile(idle, 0.95), unit: "", goal: 2 },
  ];
}

async function latencyFigures(searches: Searches): Promise<readonly Figure[]> {
  const beganMs = performance.now();
  let firstHitMs = Number.NaN;
  const found = new AbortController();
  await searches.run(ANY_LINE, found.signal, ({ case: kind }) => {
    if (kind !== "lines" || found.signal.aborted) return;
    firstHitMs = performance.now() - beganMs;
    found.abort();
  });
  const stop = new AbortController();
  let abortedMs = Number.NaN;
  await searches.run(NO_LINE, stop.signal, ({ case: kind }) => {
    if (kind !== "progress" || stop.signal.aborted) return;
    abortedMs = performance.now();
    stop.abort();
  });
  return [
    { figure: "first hit", value: firstHitMs, unit: "ms", goal: 1_000 },
    { figure: "cancelled: agentk is idle again after", value: (await idleAfter(searches.agentk)) - abortedMs, unit: "ms", goal: 1_000 },
  ];
}

/** When a process has begun to do next to nothing; infinity when it does not in ten seconds. */
async function idleAfter(pid: number): Promise<number> {
  const deadline = performance.now() + CANCEL_MS;
  while (performance.now() < deadline) {
    const [beganMs, cpuMs] = [performance.now(), cpuMsOf(pid)];
    await sleep(WINDOW_MS);
    if (cpuMsOf(pid) - cpuMs <= IDLE_CPU_MS) return beganMs;
  }
  return Number.POSITIVE_INFINITY;
}
