import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SERVER_NODE_ENV, SERVER_NODE_FLAGS } from "@binnacle/rpc";
import { createKasSecrets, startKasProcess, startMainApplicationStandIn, type KasProcess } from "@binnacle/testing";

import { printFigures } from "./goals.ts";
import { bytesIn, installAgentk } from "./installed-agentk.ts";
import { memoryMibOf } from "./process-cpu.ts";
import { median, printTable } from "./statistics.ts";

const MIB = 1024 * 1024;
const STARTS = 7;
/** Until the memory of an agent that does nothing says what it is: its start is over, and the first garbage collected. */
const IDLE_MS = 20_000;
const LARGEST = 8;

/** Times that an agent is started before it is measured: what it compiled is kept then. */
const WARM_UPS = 2;

interface World {
  readonly kas: KasProcess;
  readonly main: string;
  readonly directory: string;
  /** Whether Node keeps what it has compiled (NODE_COMPILE_CACHE), as in an image that was started once when it was built. */
  readonly isCached: boolean;
}

/** The costs of an agent without requests: installed files, its start until kas has a tunnel, and resident memory when idle. */
export async function benchAgentkSize(): Promise<void> {
  const secrets = createKasSecrets();
  const application = await startMainApplicationStandIn();
  const kas = await startKasProcess({ mainApplication: application.address, secrets });
  const installed = installAgentk();
  const directory = mkdtempSync(join(tmpdir(), "binnacle-agentk-size-"));
  const cold = { kas, main: installed.main, directory, isCached: false };
  const warm = { ...cold, isCached: true };
  try {
    for (let count = 0; count < WARM_UPS; count += 1) await firstTunnelMs(warm);
    const [starts, coldStarts]: [number[], number[]] = [[], []];
    for (let count = 0; count < STARTS; count += 1) {
      starts.push(await firstTunnelMs(warm));
      coldStarts.push(await firstTunnelMs(cold));
    }
    const idleMib = await idleMemoryMib(warm);
    const coldIdleMib = await idleMemoryMib(cold);
    const sizes = [...installed.bytes].toSorted(([, a], [, b]) => b - a);
    printTable(
      "largest parts",
      sizes.slice(0, LARGEST).map(([part, bytes]) => ({ part, MiB: bytes / MIB })),
    );
    printFigures("agentk: what it costs without requests", [
      { figure: "resident memory, connected to a kas, idle", value: idleMib, unit: "MiB", goal: 90 },
      { figure: "installed, without Node", value: sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / MIB, unit: "MiB", goal: 25 },
      { figure: `start until the first tunnel, median of ${STARTS}`, value: median(starts) / 1_000, unit: "s", goal: 1 },
      { figure: "without a compile cache: resident memory", value: coldIdleMib, unit: "MiB" },
      { figure: "without a compile cache: start", value: median(coldStarts) / 1_000, unit: "s" },
      { figure: "compile cache", value: bytesIn(join(directory, "cache")) / MIB, unit: "MiB" },
      { figure: "resident memory of a Node that does nothing", value: await bareMemoryMib(), unit: "MiB" },
    ]);
  } finally {
    installed.remove();
    rmSync(directory, { recursive: true, force: true });
    await kas.stop();
    await application.close();
    rmSync(secrets.directory, { recursive: true, force: true });
  }
}

async function firstTunnelMs(world: World): Promise<number> {
  await tunnels(world.kas, (count) => count === 0);
  const startedMs = performance.now();
  const agentk = startAgentk(world);
  try {
    await tunnels(world.kas, (count) => count > 0);
    return performance.now() - startedMs;
  } finally {
    await end(agentk);
  }
}

async function idleMemoryMib(world: World): Promise<number> {
  const agentk = startAgentk(world);
  try {
    await tunnels(world.kas, (count) => count > 0);
    await passed(IDLE_MS);
    return memoryMibOf(agentk.pid ?? 0);
  } finally {
    await end(agentk);
  }
}

async function bareMemoryMib(): Promise<number> {
  const bare = start(["-e", "setInterval(() => {}, 60_000)"], {});
  try {
    await passed(1_000);
    return memoryMibOf(bare.pid ?? 0);
  } finally {
    await end(bare);
  }
}

/** The agent as in a pod, but with a kubeconfig of the same content as the ServiceAccount's files; there is no API server. */
function startAgentk({ kas, main, directory, isCached }: World): ChildProcess {
  const [token, kubeconfig] = [join(directory, "token"), join(directory, "kubeconfig")];
  writeFileSync(token, "glagent-1");
  const cluster = { contexts: [{ name: "a", context: { cluster: "c", user: "u" } }], "current-context": "a" };
  const access = { clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:1" } }], users: [{ name: "u", user: { token: "t" } }] };
  // JSON is YAML.
  writeFileSync(kubeconfig, JSON.stringify({ ...cluster, ...access }));
  const flags = { "--kas-address": `grpc://${kas.addresses.agent}`, "--token-file": token, "--kubeconfig": kubeconfig };
  return start(
    [main, ...Object.entries(flags).flat(), "--observability-listen-address", "127.0.0.1:0"],
    isCached ? { NODE_COMPILE_CACHE: join(directory, "cache") } : {},
  );
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [...SERVER_NODE_FLAGS, ...args], { stdio: "ignore", env: { ...process.env, ...SERVER_NODE_ENV, ...env } });
}

async function tunnels(kas: KasProcess, isWanted: (idle: number) => boolean): Promise<void> {
  while (!isWanted((await kas.metrics()).get("kas_tunnels_idle") ?? 0)) await passed(2);
}

async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  // Node writes what it has compiled when it ends in peace.
  child.kill("SIGTERM");
  await exited;
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
