import { openDashboard } from "../support/dashboard-client.ts";
import { kubectl } from "../support/kubectl.ts";
import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { Sandbox } from "../support/sandbox.ts";
import { peakMemoryMibOf } from "./process-cpu.ts";
import { median, printTable } from "./statistics.ts";
import { fillNamespace, waitForPods } from "./world.ts";

const SIZES = [500, 5_000] as const;
const ROUNDS = 3;

/** Kinds the world is made of; the direct column lists exactly these, in pages of 500 as the view does. */
const KINDS = ["api/v1/%/configmaps", "api/v1/%/pods", "apis/apps/v1/%/deployments", "apis/apps/v1/%/replicasets"] as const;

async function listKind(target: BearerTarget, path: string): Promise<number> {
  let count = 0;
  let token = "";
  do {
    const answer = await send(target, `${path}?limit=500${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`);
    // A list of the API server.
    const page = (await answer.body.json()) as { items: unknown[]; metadata: { continue?: string } };
    count += page.items.length;
    token = page.metadata.continue ?? "";
  } while (token !== "");
  return count;
}

async function directMs(target: BearerTarget, namespace: string): Promise<number> {
  const started = performance.now();
  await Promise.all(KINDS.map((kind) => listKind(target, `/${kind.replace("%", `namespaces/${namespace}`)}`)));
  return performance.now() - started;
}

/** Time until the stream has shown every resource and says that it is complete. */
async function firstGraphMs(sandbox: Sandbox, environment: string, wanted: number): Promise<number> {
  const client = await openDashboard(sandbox, "maintainer");
  const stop = new AbortController();
  const started = performance.now();
  const seen = new Set<string>();
  try {
    const project = sandbox.endpoints.environments[0]?.project ?? "";
    for await (const { message } of client.watchEnvironment({ projectPath: project, environment }, { signal: stop.signal })) {
      if (message.case === "problem") throw new Error(`the view answers: ${message.value.message}`);
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
    for (const size of SIZES) {
      await kubectl(admin, ["create", "namespace", `bench-${size}`]);
      await fillNamespace(target, `bench-${size}`, size);
      await waitForPods(target, `bench-${size}`, Math.floor(size / 10));
    }
    const rows: Record<string, string | number>[] = [];
    for (const size of SIZES) {
      const direct: number[] = [];
      const view: number[] = [];
      let webPeak = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        // A fresh product each time: nothing of an earlier view may help.
        const sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--kubeconfig", admin, "--namespace", `bench-${size}`] });
        try {
          direct.push(await directMs(target, `bench-${size}`));
          view.push(await firstGraphMs(sandbox, `bench-${size}`, size));
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
    printTable(`First graph, medians of ${ROUNDS} rounds with a fresh product each`, rows);
  } finally {
    await world.stop();
  }
}
