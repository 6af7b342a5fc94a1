import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { BENCH_NAMESPACE, BENCH_PODS } from "./bench-pods.ts";
import type { ContenderTarget } from "./contender-ways.ts";
import type { ContenderResult } from "./contender.ts";
import type { CrowdedCluster } from "./crowded-product.ts";
import { median, printTable } from "./statistics.ts";

const ROUNDS = 3;
const PROGRAM = fileURLToPath(new URL("contender.ts", import.meta.url));
const TIMEOUT_MS = 300_000;

/** Ways of contender-ways.ts, as tables call them. */
const WAYS: Readonly<Record<string, string>> = {
  raw: "list + JSON.parse",
  informer: "client-node informer",
  store: "trimmed store",
  view: "EnvironmentView, all of it",
};

/** Holding the same 10,000 pods of a real API server in several ways, in turns, each in a process of its own. */
export async function benchContenders({ plane }: CrowdedCluster): Promise<void> {
  if (plane === undefined) {
    process.stdout.write(`\nnot run: ${BENCH_PODS} pods beside an informer (set KUBEBUILDER_ASSETS to a real control plane)\n`);
    return;
  }
  const dir = mkdtempSync(join(tmpdir(), "bench-pods-"));
  try {
    await compareContenders(plane, dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs all ways against an API server that has the pods, and prints what they took. @param dir for a file that they read */
async function compareContenders(plane: ContenderTarget, dir: string): Promise<void> {
  const { server, kubeconfig, caFile, certFile, keyFile } = plane;
  const file = join(dir, "contender.json");
  writeFileSync(file, JSON.stringify({ server, kubeconfig, caFile, certFile, keyFile }));
  const bytes = await meanBytes(targetOf(kubeconfig));
  const results = await race(file);
  const rows = [...results].map(([way, runs]) => {
    const of = (field: keyof ContenderResult): number => median(runs.map((run) => run[field]));
    return {
      "way of holding them": WAYS[way] ?? way,
      "filled ms": of("wallMs"),
      "CPU ms": of("cpuMs"),
      "held bytes/pod": of("bytesPerPod"),
      "of the JSON": of("bytesPerPod") / bytes,
      "peak RSS MiB": of("peakMib"),
    };
  });
  const load = loadavg()[0] ?? Number.NaN;
  const heading = `${BENCH_PODS} pods of ${bytes.toFixed(0)} bytes of JSON, medians of ${ROUNDS} rounds in turns (load ${load.toFixed(1)})`;
  printTable(heading, rows);
}

async function race(file: string): Promise<Map<string, ContenderResult[]>> {
  const ways = Object.keys(WAYS);
  const results = new Map<string, ContenderResult[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order changes, so that no contender is always the first.
    const turns = [...ways.slice(round % ways.length), ...ways.slice(0, round % ways.length)];
    for (const way of turns) results.get(way)?.push(await runContender(way, file));
  }
  return results;
}

function runContender(way: string, file: string): Promise<ContenderResult> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["--expose-gc", PROGRAM, way, file], { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${way} did not finish: ${stderr}`, { cause: error }));
      // contender.ts prints its result as JSON.
      else resolve(JSON.parse(stdout) as ContenderResult);
    });
  });
}

/** Mean size of a pod as the API server writes it. */
async function meanBytes(api: BearerTarget): Promise<number> {
  const answer = await send(api, `/api/v1/namespaces/${BENCH_NAMESPACE}/pods?limit=500`);
  // A PodList of the API server.
  const { items } = (await answer.body.json()) as { items: unknown[] };
  return items.reduce((sum: number, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0) / items.length;
}
