import { targetOf } from "../support/bearer-request.ts";
import { openDashboard } from "../support/dashboard-client.ts";
import { kubectl } from "../support/kubectl.ts";
import { Sandbox } from "../support/sandbox.ts";
import { printFigures } from "./goals.ts";
import { listMs } from "./list-directly.ts";
import { peakMemoryMibOf } from "./process-cpu.ts";
import { median, printTable } from "./statistics.ts";
import { fillNamespace, waitForPods } from "./world.ts";

/** Resources of the namespaces. */
const FIRST_GRAPH_SIZES = [500, 5_000] as const;
/** The one that the goal is about. */
const LARGEST = Math.max(...FIRST_GRAPH_SIZES);
const ROUNDS = 3;

/** Kinds the world is made of; the direct column lists exactly these, in pages of 500 as the view does. */
export const FIRST_GRAPH_KINDS = [
  "api/v1/namespaces/%/configmaps",
  "api/v1/namespaces/%/pods",
  "apis/apps/v1/namespaces/%/deployments",
  "apis/apps/v1/namespaces/%/replicasets",
];

/** Namespace with so many resources. */
export function namespaceOf(size: number): string {
  return `bench-${size}`;
}

/** Makes a namespace of each size, in a cluster with controllers. @param admin file of a kubeconfig */
export async function fillFirstGraphs(admin: string, sizes: readonly number[]): Promise<void> {
  const target = targetOf(admin);
  for (const size of sizes) {
    await kubectl(admin, ["create", "namespace", namespaceOf(size)]);
    await fillNamespace(target, namespaceOf(size), size);
    await waitForPods(target, namespaceOf(size), Math.floor(size / 10));
  }
}

/** Time until the stream has shown every resource and says that it is complete. */
async function firstGraphMs(sandbox: Sandbox, environment: string, wanted: number): Promise<number> {
  const client = await openDashboard(sandbox, "maintainer");
  const stop = new AbortController();
  const started = performance.now();
  const seen = new Set<unknown>();
  try {
    const project = sandbox.endpoints.environments[0]?.project ?? "";
    for await (const { message } of client.watchEnvironment({ projectPath: project, environment }, { signal: stop.signal })) {
      if (message.case === "problem") throw new Error(`the view answers: ${message.value.words?.id}`);
      const nodes = message.case === "snapshot" ? message.value.nodes : message.case === "delta" ? message.value.upsertedNodes : [];
      for (const node of nodes) seen.add(node.id);
      const complete = (message.case === "snapshot" || message.case === "delta") && message.value.complete;
      if (complete && seen.size >= wanted) return performance.now() - started;
    }
  } finally {
    stop.abort();
  }
  throw new Error(`the stream ended with ${seen.size} of ${wanted} resources`);
}

/** First graph of a namespace with 500 and with 5,000 resources, against listing the same kinds directly, in the same rounds. */
export async function benchFirstGraph(): Promise<void> {
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const world = await Sandbox.start({ cluster });
  try {
    const admin = world.endpoints.kubeconfigs.cluster;
    const target = targetOf(admin);
    await fillFirstGraphs(admin, FIRST_GRAPH_SIZES);
    const rows: Record<string, string | number>[] = [];
    for (const size of FIRST_GRAPH_SIZES) {
      const direct: number[] = [];
      const view: number[] = [];
      let webPeak = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        // A fresh product each time: nothing of an earlier view may help.
        const sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--kubeconfig", admin, "--namespace", namespaceOf(size)] });
        try {
          direct.push(await listMs(target, FIRST_GRAPH_KINDS, namespaceOf(size)));
          view.push(await firstGraphMs(sandbox, namespaceOf(size), size));
          webPeak = Math.max(webPeak, peakMemoryMibOf(sandbox.endpoints.pids.web));
        } finally {
          await sandbox.stop();
        }
      }
      rows.push({
        cluster,
        resources: size,
        "direct ms": median(direct),
        "first graph ms": median(view),
        ratio: median(view.map((ms, index) => ms / (direct[index] ?? Number.NaN))),
        "web peak MiB": webPeak,
      });
    }
    const ratio = Number(rows.at(-1)?.["ratio"]);
    printFigures("Against listing directly", [{ figure: `first graph of ${LARGEST} resources`, value: ratio, unit: "×", goal: 2 }]);
    printTable(`First graph, medians of ${ROUNDS} rounds with a fresh product each`, rows);
  } finally {
    await world.stop();
  }
}
