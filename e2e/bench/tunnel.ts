import { mkdtempSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

import { targetOf } from "../support/bearer-request.ts";
import { Sandbox } from "../support/sandbox.ts";
import { measureBareWay } from "./bare-node/bare-node.ts";
import { printFigures } from "./goals.ts";
import { benchIdleAgents } from "./idle-agents.ts";
import { openKubernetesStandIn } from "./kubernetes-stand-in.ts";
import { loadLarge, loadSmall, type LoadTarget, type SmallResult } from "./load-client.ts";
import { smallOf, waitForOtherProxy, type OtherProxy } from "./other-proxy.ts";
import { cpuMsOf, memoryMibOf } from "./process-cpu.ts";
import { startPlainKas, type PlainKas } from "./plain-kas.ts";
import { median, percentile, printTable } from "./statistics.ts";

const ROUNDS = 3;
const CONCURRENCY = [1, 16, 64] as const;

interface SmallCell {
  readonly direct: SmallResult;
  readonly tunnel: SmallResult;
  readonly kasMs: number;
  readonly agentkMs: number;
  /** Another proxy in the same round. */
  readonly other?: SmallResult;
}

const perSecond = (result: SmallResult): number => result.requests / result.seconds;

function smallRow(concurrency: number, cells: readonly SmallCell[]): Record<string, number> {
  const of = (pick: (cell: SmallCell) => number): number => median(cells.map(pick));
  return {
    C: concurrency,
    "direct req/s": of((cell) => perSecond(cell.direct)),
    "tunnel req/s": of((cell) => perSecond(cell.tunnel)),
    ratio: of((cell) => perSecond(cell.tunnel) / perSecond(cell.direct)),
    "direct p50": of((cell) => percentile(cell.direct.latenciesMs, 0.5)),
    "tunnel p50": of((cell) => percentile(cell.tunnel.latenciesMs, 0.5)),
    "added p50": of((cell) => percentile(cell.tunnel.latenciesMs, 0.5) - percentile(cell.direct.latenciesMs, 0.5)),
    "direct p99": of((cell) => percentile(cell.direct.latenciesMs, 0.99)),
    "tunnel p99": of((cell) => percentile(cell.tunnel.latenciesMs, 0.99)),
    "p99/p50": of((cell) => percentile(cell.tunnel.latenciesMs, 0.99) / percentile(cell.tunnel.latenciesMs, 0.5)),
    "kas CPU ms": of((cell) => cell.kasMs),
    "agentk CPU ms": of((cell) => cell.agentkMs),
    ...(cells.some(({ other }) => other !== undefined) && {
      "other req/s": of(({ other }) => (other === undefined ? Number.NaN : perSecond(other))),
      "other p50": of(({ other }) => percentile(other?.latenciesMs ?? [], 0.5)),
      "other p99": of(({ other }) => percentile(other?.latenciesMs ?? [], 0.99)),
    }),
  };
}

/** Of the same two hops on bare Node, and of the direct path. */
const KAS_GOAL = 1.8;
const AGENTK_GOAL = 1.3;
const DIRECT_GOAL = 0.12;
const LIST_GOAL_S = 0.12;
const TAIL_GOAL = 3;

const tailOf = (latenciesMs: readonly number[]): number => percentile(latenciesMs, 0.99) / percentile(latenciesMs, 0.5);

/** The figures that have goals, and beside them the same way on Node's HTTP alone, in this run. */
async function printGoals(small: ReadonlyMap<number, readonly SmallCell[]>, listKasS: number, api: string): Promise<void> {
  const at = (concurrency: number, pick: (cell: SmallCell) => number): number => median((small.get(concurrency) ?? []).map(pick));
  const tail = (concurrency: number): number => at(concurrency, ({ tunnel }) => tailOf(tunnel.latenciesMs));
  const [kasMs, agentkMs] = [at(16, (cell) => cell.kasMs), at(16, (cell) => cell.agentkMs)];
  const bareAt = (concurrency: number): ReturnType<typeof measureBareWay> => measureBareWay(concurrency, `${api}/small`);
  const bare = { alone: await bareAt(1), some: await bareAt(16), many: await bareAt(64) };
  printFigures("Goals; bare: the same way on Node's HTTP alone, without any code of ours", [
    { figure: "kas CPU per GET, C=16", value: kasMs, unit: "ms" },
    { figure: "  bare", value: bare.some.kasMs, unit: "ms" },
    { figure: "  kas over bare", value: kasMs / bare.some.kasMs, unit: "×", goal: KAS_GOAL },
    { figure: "agentk CPU per GET, C=16", value: agentkMs, unit: "ms" },
    { figure: "  bare", value: bare.some.agentkMs, unit: "ms" },
    { figure: "  agentk over bare", value: agentkMs / bare.some.agentkMs, unit: "×", goal: AGENTK_GOAL },
    {
      figure: "throughput of direct, C=16",
      value: at(16, (cell) => perSecond(cell.tunnel) / perSecond(cell.direct)),
      unit: "×",
      least: DIRECT_GOAL,
    },
    { figure: "kas CPU per list", value: listKasS, unit: "s", goal: LIST_GOAL_S },
    { figure: "p99/p50, C=1", value: tail(1), unit: "×", goal: TAIL_GOAL },
    { figure: "  bare", value: tailOf(bare.alone.latenciesMs), unit: "×" },
    { figure: "p99/p50, C=64", value: tail(64), unit: "×", goal: TAIL_GOAL },
    { figure: "  bare", value: tailOf(bare.many.latenciesMs), unit: "×" },
  ]);
}

/** Eight large lists at once, before anything else has grown the heaps: how much memory they take over the idle process. */
async function parallelLists(target: LoadTarget, plain: PlainKas): Promise<Record<string, number>> {
  const idle = { kas: memoryMibOf(plain.kasPid), agentk: memoryMibOf(plain.agentkPid) };
  const peak = { ...idle };
  const sampling = setInterval(() => {
    peak.kas = Math.max(peak.kas, memoryMibOf(plain.kasPid));
    peak.agentk = Math.max(peak.agentk, memoryMibOf(plain.agentkPid));
  }, 20);
  const started = performance.now();
  const lists = await Promise.all(Array.from({ length: 8 }, () => loadLarge(target)));
  clearInterval(sampling);
  const seconds = (performance.now() - started) / 1000;
  return {
    "MiB/s together": lists.reduce((sum, list) => sum + list.bytes, 0) / 1048576 / seconds,
    "fastest s": Math.min(...lists.map((list) => list.ms)) / 1000,
    "slowest s": Math.max(...lists.map((list) => list.ms)) / 1000,
    "kas idle MiB": idle.kas,
    "kas peak over idle": peak.kas - idle.kas,
    "agentk idle MiB": idle.agentk,
    "agentk peak over idle": peak.agentk - idle.agentk,
  };
}

/**
 * 4 KiB GET at several concurrencies and a 50 MiB list: through kas and agentk against direct, in the same rounds.
 *
 * @param other another Kubernetes proxy to measure beside them
 */
export async function benchTunnel(other?: OtherProxy): Promise<void> {
  const api = await openKubernetesStandIn(other?.apiPort);
  if (other !== undefined) await waitForOtherProxy(other);
  const kubeconfig = join(mkdtempSync(join(tmpdir(), "binnacle-bench-")), "kubeconfig");
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "bench",
      clusters: [{ name: "bench", cluster: { server: api.url } }],
      contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
      users: [{ name: "bench", user: { token: "bench" } }],
    }),
  );
  const sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--kubeconfig", kubeconfig, "--namespace", "bench"] });
  const plain = await startPlainKas(sandbox);
  try {
    const { kasPid: kas, agentkPid: agentk } = plain;
    const via = targetOf(sandbox.endpoints.kubeconfigs.viaKas);
    const base = new URL(new URL(via.server).pathname, plain.k8sProxy);
    const targets = (path: string): { direct: LoadTarget; tunnel: LoadTarget } => ({
      direct: { origin: api.url, path, headers: {} },
      tunnel: {
        origin: base.origin,
        path: `${base.pathname.replace(/\/$/, "")}${path}`,
        headers: { authorization: `Bearer ${via.token}` },
      },
    });
    const lists = await parallelLists(targets("/list").tunnel, plain);
    const small = new Map<number, SmallCell[]>(CONCURRENCY.map((concurrency) => [concurrency, []]));
    const large: { direct: number; tunnel: number; kasMs: number; agentkMs: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const concurrency of CONCURRENCY) {
        const { direct, tunnel } = targets("/small");
        const directResult = await loadSmall(direct, { concurrency, seconds: 2, bytes: 4096 });
        const before = [cpuMsOf(kas), cpuMsOf(agentk)] as const;
        const tunnelResult = await loadSmall(tunnel, { concurrency, seconds: 4, bytes: 4096 });
        // The warm-up half second is in the CPU figure too: scale it out.
        const requests = tunnelResult.requests * (4.5 / 4);
        const otherResult = other && (await loadSmall(smallOf(other), { concurrency, seconds: 4, bytes: 4096 }));
        small.get(concurrency)?.push({
          direct: directResult,
          tunnel: tunnelResult,
          kasMs: (cpuMsOf(kas) - before[0]) / requests,
          agentkMs: (cpuMsOf(agentk) - before[1]) / requests,
          ...(otherResult && { other: otherResult }),
        });
      }
      const { direct, tunnel } = targets("/list");
      const directList = await loadLarge(direct);
      const before = [cpuMsOf(kas), cpuMsOf(agentk)] as const;
      const tunnelList = await loadLarge(tunnel);
      if (tunnelList.sha256 !== directList.sha256) throw new Error("the list arrived changed");
      const mibPerSecond = (result: { bytes: number; ms: number }): number => result.bytes / 1048576 / (result.ms / 1000);
      large.push({
        direct: mibPerSecond(directList),
        tunnel: mibPerSecond(tunnelList),
        kasMs: cpuMsOf(kas) - before[0],
        agentkMs: cpuMsOf(agentk) - before[1],
      });
    }
    printTable(
      `4 KiB GET, closed loop, medians of ${ROUNDS} rounds; milliseconds; CPU per request. Node ${process.version}, no TLS, no compression, load ${loadavg()[0]?.toFixed(1)}`,
      CONCURRENCY.map((concurrency) => smallRow(concurrency, small.get(concurrency) ?? [])),
    );
    printTable(`${(api.listBytes / 1048576).toFixed(0)} MiB list, medians of ${ROUNDS} rounds; SHA-256 compared`, [
      {
        "direct MiB/s": median(large.map((cell) => cell.direct)),
        "tunnel MiB/s": median(large.map((cell) => cell.tunnel)),
        ratio: median(large.map((cell) => cell.tunnel / cell.direct)),
        "kas CPU s": median(large.map((cell) => cell.kasMs)) / 1000,
        "agentk CPU s": median(large.map((cell) => cell.agentkMs)) / 1000,
      },
    ]);
    printTable("8 lists at once through the tunnel, memory sampled every 20 ms", [lists]);
    await printGoals(small, median(large.map((cell) => cell.kasMs)) / 1000, api.url);
    printFigures("Resident memory after all of this", [
      { figure: "kas", value: memoryMibOf(kas), unit: "MiB", goal: 210 },
      { figure: "agentk", value: memoryMibOf(agentk), unit: "MiB", goal: 150 },
    ]);
  } finally {
    plain.stop();
    await sandbox.stop();
    api.close();
  }
  await benchIdleAgents();
}
