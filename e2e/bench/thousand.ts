import { loadavg } from "node:os";

import { openDashboard } from "../support/dashboard-client.ts";
import { runKubectl } from "../support/kubectl.ts";
import { agentRequestsOf, isWatch, mostOpen, mostWithin, type AuditedRequest } from "../thousand/audit-log.ts";
import { CLUSTER_VIEWER, NAMESPACE_VIEWER } from "../thousand/cluster-filling.ts";
import { isProof, MAX_VIEWERS, openCrowd } from "../thousand/crowd.ts";
import { EnvironmentReader } from "../thousand/environment-reader.ts";
import { IndexReader } from "../thousand/index-reader.ts";
import { ThousandWorld } from "../thousand/thousand-world.ts";
import { printFigures, type Figure } from "./goals.ts";
import { cpuMsOf } from "./process-cpu.ts";
import { percentile } from "./statistics.ts";

/** How many namespaces, which agents, whose rights; crowds come with our own agent and with rights everywhere. */
export interface ThousandOptions {
  readonly namespaces?: number;
  readonly agents?: readonly BenchedAgent[];
  readonly rights?: readonly ("everywhere" | "in each")[];
}

/** Ours, which may read less than views of environments need; ours with all its rights; one of a Go agent's size. */
type BenchedAgent = "own with fewer rights" | "own" | "go-sized";

interface Rights {
  readonly where: "everywhere" | "in each";
  readonly words: string;
  readonly viewer: string;
  /** Seconds until every row is known. */
  readonly allKnownGoal: number;
}

/** In this order: rights that were given stay. */
const AGENTS: readonly BenchedAgent[] = ["own with fewer rights", "go-sized", "own"];
const RIGHTS: readonly Rights[] = [
  { where: "everywhere", words: "cluster-wide view", viewer: CLUSTER_VIEWER, allKnownGoal: 20 },
  { where: "in each", words: "RoleBindings only", viewer: NAMESPACE_VIEWER, allKnownGoal: 300 },
];
/** A fifth of our agentk's pool; what an agent without our capabilities carries. */
const BUDGETS: Readonly<Record<BenchedAgent, number>> = { "own with fewer rights": 100, own: 100, "go-sized": 8 };
const SCREEN_KNOWN_GOAL = 20;
const REQUESTS_PER_SECOND_GOAL = 20;
const WINDOW_MS = 10_000;
/** Rows that are not known by then never will be. */
const LONGEST_MS = 420_000;
/** Pages that together want more watches than our agentk carries. */
const PAGES = 12;
const STEADY_MS = 35_000;
const KUBECTL_SAMPLES = 20;
const MIB = 1024 * 1024;

/** A real API server with 1,000 namespaces: an index for both kinds of rights, with both kinds of agents; 200 viewers of one environment. */
export async function benchThousand(options: ThousandOptions = {}): Promise<void> {
  const { namespaces = 1_000, agents = AGENTS, rights = ["everywhere", "in each"] } = options;
  if (process.env["KUBEBUILDER_ASSETS"] === undefined) {
    process.stdout.write(`\nnot run: an index of ${namespaces} namespaces (set KUBEBUILDER_ASSETS to a real control plane)\n`);
    return;
  }
  const world = await ThousandWorld.start(namespaces, "user");
  process.stderr.write(`  ${namespaces} namespaces are there\n`);
  try {
    for (const agent of AGENTS.filter((each) => agents.includes(each))) {
      if (agent === "own") await world.letAgentKeepViews();
      if (agent === "go-sized") await world.useGoSizedAgent();
      for (const each of RIGHTS.filter(({ where }) => rights.includes(where))) await benchIndex(world, agent, each);
      if (agent === "own" && rights.includes("everywhere")) await benchCrowds(world);
    }
  } finally {
    await world.stop();
  }
}

async function benchIndex(world: ThousandWorld, agent: BenchedAgent, { words, viewer, allKnownGoal }: Rights): Promise<void> {
  const web = await world.restartWeb();
  const client = await openDashboard(world.sandbox, viewer);
  const kubectl = new KubectlSamples(world.kubeconfigOf(viewer), world.namespaces[0] ?? "");
  await kubectl.warmUp();
  await kubectl.take(KUBECTL_SAMPLES);
  const before = kubectl.reset();
  const heldBefore = await web.heldMemory();
  const rssBefore = web.resident().now;
  const beganMs = Date.now();
  const index = new IndexReader(client, { project: world.project, names: world.namespaces });
  while (!isKnown(world, index) && Date.now() - beganMs < LONGEST_MS) await kubectl.take(1);
  const known = index.knownAfterMs.size;
  const allKnownMs = isKnown(world, index) ? Math.max(...index.knownAfterMs.values()) : Number.POSITIVE_INFINITY;
  while (Date.now() - beganMs < STEADY_MS) await kubectl.take(1);
  const indexEndedMs = Date.now();
  const heldAfter = await web.heldMemory();
  const pages = world.namespaces.slice(0, PAGES).map((name) => new EnvironmentReader(client, { project: world.project, name }));
  while (Date.now() - indexEndedMs < STEADY_MS) await kubectl.take(1);
  const requests = agentRequestsOf(world.auditLog).filter(
    ({ endedMs, userAgent }) => endedMs > beganMs && !userAgent.startsWith("kubectl"),
  );
  const load = requests.filter((request) => request.beganMs >= beganMs && request.beganMs < indexEndedMs);
  const kinds = pages.map((page) => page.kinds);
  for (const page of pages) page.close();
  index.close();
  const after = kubectl.reset();
  const figures: Figure[] = [
    { figure: "rows with a health", value: known, unit: "" },
    { figure: "rows without a health", value: world.namespaces.length - known, unit: "", goal: 0 },
    { figure: "the first screen is known after", value: index.screenKnownAfterMs / 1_000, unit: "s", goal: SCREEN_KNOWN_GOAL },
    { figure: "every row is known after", value: allKnownMs / 1_000, unit: "s", goal: allKnownGoal },
    { figure: "requests for it", value: load.filter(({ beganMs: at }) => at < beganMs + allKnownMs).length, unit: "" },
    { figure: "most requests a second, in 10 s", value: perSecond(load), unit: "/s", goal: REQUESTS_PER_SECOND_GOAL },
    { figure: "most watches open, with pages", value: mostOpen(requests.filter(isWatch)), unit: "", goal: BUDGETS[agent] },
    { figure: `complete pages of ${PAGES} beside it`, value: pages.filter(({ isComplete }) => isComplete).length, unit: "", least: PAGES },
    { figure: "their kinds that are live", value: kinds.reduce((sum, { live }) => sum + live, 0), unit: "" },
    { figure: "their kinds that are sampled", value: kinds.reduce((sum, { sampled }) => sum + sampled, 0), unit: "" },
    { figure: "kubectl get before, p50", value: percentile(before, 0.5), unit: "ms" },
    { figure: "kubectl get before, p95", value: percentile(before, 0.95), unit: "ms" },
    { figure: "kubectl get beside, p50", value: percentile(after, 0.5), unit: "ms" },
    { figure: "kubectl get beside, p95", value: percentile(after, 0.95), unit: "ms" },
    { figure: "kubectl get that failed", value: kubectl.failed, unit: "", goal: 0 },
    { figure: "dashboard, resident before", value: rssBefore / MIB, unit: "MiB" },
    { figure: "dashboard, most resident", value: web.resident().peak / MIB, unit: "MiB" },
    { figure: "held for each namespace of the index", value: bytesEach(heldBefore, heldAfter, world.namespaces.length), unit: "B" },
  ];
  printFigures(`${world.namespaces.length} namespaces, ${agent} agent, ${words} (load ${loadavg()[0]?.toFixed(1)})`, figures);
}

/** One viewer, and then as many as there can be, of one environment; all are one and the same in the cluster. */
async function benchCrowds(world: ThousandWorld): Promise<void> {
  await world.setAccess("agent");
  const figures: Figure[] = [];
  for (const viewers of [1, MAX_VIEWERS]) {
    const web = await world.restartWeb();
    const beganMs = Date.now();
    const cpuBefore = cpuMsOf(web.pid);
    const crowd = await openCrowd(world, world.namespaces[0] ?? "", viewers);
    const completeMs = Date.now();
    const cpuComplete = cpuMsOf(web.pid);
    await new Promise((resolve) => setTimeout(resolve, STEADY_MS));
    const requests = agentRequestsOf(world.auditLog).filter((request) => request.beganMs >= beganMs);
    const opening = requests.filter((request) => request.beganMs <= completeMs);
    const words = viewers === 1 ? "1 viewer" : `${viewers} viewers`;
    figures.push(
      { figure: `${words}: have the environment after`, value: (completeMs - beganMs) / 1_000, unit: "s" },
      { figure: `${words}: reads of the cluster for it`, value: opening.filter((each) => !isProof(each)).length, unit: "" },
      { figure: `${words}: reads in ${STEADY_MS / 1_000} s more`, value: readsSince(requests, completeMs), unit: "" },
      { figure: `${words}: proofs and discovery in all`, value: requests.filter(isProof).length, unit: "" },
      { figure: `${words}: watches open`, value: mostOpen(requests.filter(isWatch)), unit: "" },
      { figure: `${words}: CPU of the dashboard until then`, value: cpuComplete - cpuBefore, unit: "ms" },
      { figure: `${words}: CPU a second afterwards`, value: (cpuMsOf(web.pid) - cpuComplete) / (STEADY_MS / 1_000), unit: "ms" },
      { figure: `${words}: dashboard, most resident`, value: web.resident().peak / MIB, unit: "MiB" },
    );
    crowd.close();
  }
  await world.setAccess("user");
  printFigures(`Viewers of one environment, own agent (load ${loadavg()[0]?.toFixed(1)})`, figures);
}

function isKnown({ namespaces }: ThousandWorld, { knownAfterMs, unknown }: IndexReader): boolean {
  return knownAfterMs.size === namespaces.length && unknown.length === 0;
}

function perSecond(requests: readonly AuditedRequest[]): number {
  return mostWithin(requests, WINDOW_MS) / (WINDOW_MS / 1_000);
}

function readsSince(requests: readonly AuditedRequest[], sinceMs: number): number {
  return requests.filter((each) => each.beganMs > sinceMs && !isProof(each)).length;
}

type Held = { readonly heapUsed: number; readonly external: number };

function bytesEach(before: Held, after: Held, count: number): number {
  return (after.heapUsed + after.external - before.heapUsed - before.external) / count;
}

/** How long an ordinary kubectl takes through the same agent, one call after the other. */
class KubectlSamples {
  readonly #kubeconfig: string;
  readonly #path: string;
  #samples: number[] = [];
  failed = 0;

  constructor(kubeconfig: string, namespace: string) {
    this.#kubeconfig = kubeconfig;
    this.#path = `/api/v1/namespaces/${namespace}/pods`;
  }

  /** The first start of a program reads it from disk. */
  async warmUp(): Promise<void> {
    await this.take(2);
    this.reset();
  }

  async take(count: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      const beganMs = performance.now();
      const { code } = await runKubectl(this.#kubeconfig, ["get", "--raw", this.#path, "--request-timeout", "20s"]);
      this.#samples.push(performance.now() - beganMs);
      if (code !== 0) this.failed += 1;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  /** What was taken since the last time. */
  reset(): readonly number[] {
    const samples = this.#samples;
    this.#samples = [];
    return samples;
  }
}
