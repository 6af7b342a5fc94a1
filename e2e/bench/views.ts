import { setTimeout as sleep } from "node:timers/promises";

import { createHttpsTransport, EnvironmentView, HttpKubeClient } from "@binnacle/environment-view";
import { systemClock } from "@binnacle/rpc";

import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { Sandbox } from "../support/sandbox.ts";
import { AgentView } from "../support/agent-view.ts";
import { BENCH_NAMESPACE, benchPod } from "./bench-pods.ts";
import { printFigures } from "./goals.ts";
import { indexOfAgentsFigures } from "./index-of-agents.ts";
import { cpuMsOf, memoryMibOf } from "./process-cpu.ts";
import { percentile, printTable } from "./statistics.ts";
import { waitUntil } from "./wait-until.ts";

const CROWDS = [1_000, 10_000] as const;
const ROUNDS = 40;
/** Each change is one by itself. */
const BETWEEN_MS = 300;
const SETTLE_MS = 3_000;
const VIEWERS = 20;
const CONFIG_MAPS = `/api/v1/namespaces/${BENCH_NAMESPACE}/configmaps`;

/** Views that agentk keeps, beside the same view made at the other end of the Kubernetes proxy, in one run on the embedded cluster. */
export async function benchViews(): Promise<void> {
  const sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--agents", "1"] });
  try {
    const { kubeconfigs, pids } = sandbox.endpoints;
    const [direct, viaKas] = [targetOf(kubeconfigs.cluster), targetOf(kubeconfigs.viaKas)];
    const [agentk = 0] = pids.agentk;
    const rows: Record<string, string | number>[] = [];
    const costs: Record<string, string | number>[] = [
      { what: "idle", pods: 0, "agentk RSS MiB": memoryMibOf(agentk), "agentk CPU ms": "", "bytes/viewer": "" },
    ];
    await post(direct, "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: BENCH_NAMESPACE } });
    let made = 0;
    for (const pods of CROWDS) {
      for (; made < pods; made += 100)
        await Promise.all(
          Array.from({ length: 100 }, (_, index) => post(direct, `/api/v1/namespaces/${BENCH_NAMESPACE}/pods`, benchPod(made + index))),
        );
      const cpu = cpuMsOf(agentk);
      const viewer = await AgentView.open(viaKas, BENCH_NAMESPACE);
      await waitUntil(() => viewer.complete);
      costs.push({
        what: "first view",
        pods,
        "agentk RSS MiB": memoryMibOf(agentk),
        "agentk CPU ms": cpuMsOf(agentk) - cpu,
        "bytes/viewer": viewer.bytes,
      });
      rows.push(...(await compare({ direct, viaKas, pods }, viewer)));
      const before = { cpu: cpuMsOf(agentk), bytes: viewer.bytes };
      const more: AgentView[] = [];
      for (let index = 1; index < VIEWERS; index += 1) more.push(await AgentView.open(viaKas, BENCH_NAMESPACE));
      await waitUntil(() => more.every(({ complete }) => complete));
      costs.push({
        what: `${VIEWERS} viewers`,
        pods,
        "agentk RSS MiB": memoryMibOf(agentk),
        "agentk CPU ms": cpuMsOf(agentk) - before.cpu,
        "bytes/viewer": more[0]?.bytes ?? 0,
      });
      for (const each of [viewer, ...more]) each.close();
      await sleep(SETTLE_MS);
    }
    printTable("Cluster event → subscriber, ConfigMaps one by one", rows);
    printTable("What views cost the agent", costs);
    printFigures("An index that agents tell", await indexOfAgentsFigures(sandbox));
  } finally {
    await sandbox.stop();
  }
}

/** Which is first to get a change: a view from the agent, or a watch through the Kubernetes proxy. */
async function compare(
  { direct, viaKas, pods }: { readonly direct: BearerTarget; readonly viaKas: BearerTarget; readonly pods: number },
  viewer: AgentView,
): Promise<Record<string, string | number>[]> {
  const peer = new EnvironmentView({
    client: new HttpKubeClient(createHttpsTransport({ baseUrl: viaKas.server, token: viaKas.token, ...(viaKas.ca && { ca: viaKas.ca }) })),
    scope: { namespaces: [BENCH_NAMESPACE] },
    clock: systemClock,
  });
  const stop = new AbortController();
  const running = peer.run(stop.signal);
  const heard = new Map<string, { sent?: number; watched?: number }>();
  const note = (name: string, how: "sent" | "watched"): void => {
    const entry = heard.get(name);
    if (entry && entry[how] === undefined) entry[how] = performance.now();
  };
  let isComplete = false;
  const subscription = peer.open(() => {
    const message = subscription.take();
    isComplete ||= message?.complete === true;
    const nodes = message?.kind === "delta" ? message.upsertedNodes : [];
    for (const { ref } of nodes) if (ref) note(ref.name, "watched");
  });
  viewer.onChange = () => {
    for (const name of viewer.changed) note(name, "sent");
  };
  try {
    await waitUntil(() => isComplete);
    const lags = { sent: [] as number[], watched: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(BETWEEN_MS);
      const name = `round-${pods}-${round}`;
      heard.set(name, {});
      const beganMs = performance.now();
      await post(direct, CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
      await waitUntil(() => heard.get(name)?.sent !== undefined && heard.get(name)?.watched !== undefined);
      for (const how of ["sent", "watched"] as const) lags[how].push((heard.get(name)?.[how] ?? 0) - beganMs);
    }
    const row = (how: "sent" | "watched", way: string) => ({
      pods,
      way,
      "p50 ms": percentile(lags[how], 0.5),
      "p95 ms": percentile(lags[how], 0.95),
      rounds: ROUNDS,
    });
    return [row("sent", "sent by the agent"), row("watched", "watched over the k8s-proxy")];
  } finally {
    viewer.onChange = () => {};
    subscription.close();
    stop.abort();
    await running;
  }
}

async function post(target: BearerTarget, path: string, body: unknown): Promise<void> {
  const answer = await send(target, path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode >= 400) throw new Error(`${path}: ${text.slice(0, 200)}`);
}
