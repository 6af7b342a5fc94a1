import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { parseAllDocuments } from "yaml";

import { send, targetOf } from "../support/bearer-request.ts";
import { kubectl } from "../support/kubectl.ts";
import { manifestFiles, type ManifestFiles } from "./gitops-manifests.ts";
import { DIRECTORY, writeFiles, type Deployed, type GitopsWorld } from "./gitops-world.ts";
import { peakMemoryMibOf, memoryMibOf, resetPeakMemoryOf } from "./process-cpu.ts";
import { percentile, printTable } from "./statistics.ts";

/** How many manifests, and how often they change. */
const CASES: readonly (readonly [objects: number, rounds: number])[] = [
  [1, 20],
  [100, 10],
  [2_000, 5],
];
/** Pushes that follow each other more closely wait for each other: kas looks once a second at most. */
const QUIET_MS = 1_500;
/** As agentk: requests under way at once. */
const AT_ONCE = 8;

/** Resident memory of agentk in MiB. */
export interface AgentMemory {
  readonly beforeMib: number;
  readonly peakMib: number;
}

interface Rounds {
  readonly deployed: Deployed[];
  readonly kubectlMs: number[];
  readonly patchesMs: number[];
}

/**
 * Every round changes every manifest and pushes; then kubectl, and requests alone, apply the very files to namespaces of their own.
 *
 * @returns agentk's memory during the rounds with most manifests
 */
export async function benchPushToApplied(world: GitopsWorld): Promise<AgentMemory> {
  const { kubeconfigs, pids } = world.sandbox.endpoints;
  for (const namespace of [KUBECTL, PATCHES]) await kubectl(kubeconfigs.cluster, ["create", "namespace", namespace]);
  const rows: Record<string, string | number>[] = [];
  const [pid] = pids.agentk;
  if (pid === undefined) throw new Error("agentk does not run");
  let memory: AgentMemory = { beforeMib: Number.NaN, peakMib: Number.NaN };
  for (const [objects, count] of CASES) {
    const beforeMib = memoryMibOf(pid);
    resetPeakMemoryOf(pid);
    const rounds: Rounds = { deployed: [], kubectlMs: [], patchesMs: [] };
    // The first one creates, the others change; it is not counted.
    for (let round = 0; round <= count; round += 1) await runRound(world, { objects, round }, rounds);
    memory = { beforeMib, peakMib: peakMemoryMibOf(pid) };
    rows.push(rowOf(objects, rounds));
  }
  printTable(
    "Push → applied, against kubectl apply --server-side and server-side applies alone, of the same files (real control plane)",
    rows,
  );
  return memory;
}

const KUBECTL = "bench-kubectl";
const PATCHES = "bench-patches";

async function runRound(world: GitopsWorld, of: { readonly objects: number; readonly round: number }, rounds: Rounds): Promise<void> {
  const files = manifestFiles({ directory: `${DIRECTORY}/small`, ...of });
  world.write(files);
  await sleep(QUIET_MS);
  const deployed = await world.deploy();
  if (deployed.applied !== of.objects) throw new Error(`${deployed.applied} of ${of.objects} manifests were applied`);
  const kubectlMs = await applyByKubectl(world, files);
  const patchesMs = await applyByRequests(world, files);
  if (of.round === 0) return;
  rounds.deployed.push(deployed);
  rounds.kubectlMs.push(kubectlMs);
  rounds.patchesMs.push(patchesMs);
}

async function applyByKubectl(world: GitopsWorld, files: ManifestFiles): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-bench-"));
  try {
    writeFiles(directory, files);
    const started = performance.now();
    await kubectl(world.sandbox.endpoints.kubeconfigs.cluster, ["apply", "--server-side", "-n", KUBECTL, "-R", "-f", directory]);
    return performance.now() - started;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The least there is to do: one server-side apply for each object, without a look before or an inventory. */
async function applyByRequests(world: GitopsWorld, files: ManifestFiles): Promise<number> {
  const target = targetOf(world.sandbox.endpoints.kubeconfigs.cluster);
  const started = performance.now();
  const objects = [...files.values()].flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Applied));
  const lane = async (): Promise<void> => {
    for (let object = objects.pop(); object !== undefined; object = objects.pop()) {
      const path = `/api/v1/namespaces/${PATCHES}/configmaps/${object.metadata.name}?fieldManager=bench`;
      const headers = { "content-type": "application/apply-patch+yaml" };
      const answer = await send(target, path, { method: "PATCH", headers, body: JSON.stringify(object) });
      await answer.body.dump();
      if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const ms = performance.now() - started;
  await target.dispatcher.close();
  return ms;
}

/** As `manifestFiles` writes them. */
interface Applied {
  readonly metadata: { readonly name: string };
}

function rowOf(objects: number, { deployed, kubectlMs, patchesMs }: Rounds): Record<string, string | number> {
  const all = deployed.map(({ ms }) => ms);
  const middle = (of: (one: Deployed) => number): number => percentile(deployed.map(of), 0.5);
  return {
    manifests: objects,
    rounds: deployed.length,
    "p50 ms": percentile(all, 0.5),
    "p95 ms": percentile(all, 0.95),
    "of it git push": middle(({ pushMs }) => pushMs),
    "of it agentk's sync": middle(({ syncMs }) => syncMs),
    "kubectl p50": percentile(kubectlMs, 0.5),
    "kubectl p95": percentile(kubectlMs, 0.95),
    "× kubectl": percentile(all, 0.5) / percentile(kubectlMs, 0.5),
    "applies alone, 8 at once, p50": percentile(patchesMs, 0.5),
    "sync × alone": middle(({ syncMs }) => syncMs) / percentile(patchesMs, 0.5),
  };
}
