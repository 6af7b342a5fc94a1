import { setTimeout as sleep } from "node:timers/promises";

import { send, type BearerTarget } from "../support/bearer-request.ts";
import { openSession } from "../support/dashboard-client.ts";
import { SMALL_NAMESPACE, type CrowdedProduct } from "./crowded-product.ts";
import { cpuMsOf } from "./process-cpu.ts";
import { openViewer, type RawViewer } from "./raw-viewer.ts";
import { printTable } from "./statistics.ts";

/** The last is as many streams as one token may have; another user may have another identity in the cluster, and a view of their own. */
const CROWDS = [1, 10, 40] as const;
const CHANGES = 40;
/** Longer than the pace of deltas: each change is a delta of its own. */
const BETWEEN_MS = 300;
const SETTLE_MS = 2_000;

/** What many who look at one environment cost the dashboard's server, while it changes steadily. */
export async function benchViewers({ sandbox, target, cluster }: CrowdedProduct): Promise<void> {
  const session = await openSession(sandbox, "maintainer");
  const { project = "" } = sandbox.endpoints.environments[0] ?? {};
  const ask = { projectPath: project, environment: SMALL_NAMESPACE };
  const { pids } = sandbox.endpoints;
  const costs = { web: [pids.web], kas: pids.kas, agentk: pids.agentk };
  const rows: Record<string, string | number>[] = [];
  let aloneMs = 0;
  for (const viewers of CROWDS) {
    const crowd: RawViewer[] = [];
    for (let index = 0; index < viewers; index += 1) crowd.push(await openViewer(session, ask));
    for (const each of crowd) each.drain();
    await sleep(SETTLE_MS);
    const [before, had] = [Object.values(costs).map(cpuOf), crowd.map(({ bytes }) => bytes)];
    await changeSteadily(target);
    await sleep(BETWEEN_MS);
    const [web = 0, kas = 0, agentk = 0] = Object.values(costs).map((of, index) => cpuOf(of) - (before[index] ?? 0));
    const untold = crowd.filter(({ bytes }, index) => bytes === had[index]).length;
    if (untold > 0) throw new Error(`${untold} of ${viewers} viewers have not received the changes`);
    const bytes = crowd.reduce((sum, each, index) => sum + each.bytes - (had[index] ?? 0), 0);
    if (viewers === 1) aloneMs = web;
    rows.push({
      cluster,
      viewers,
      "web ms/delta": web / CHANGES,
      "web ms/viewer and delta": viewers === 1 ? "" : (web - aloneMs) / (viewers - 1) / CHANGES,
      "bytes/viewer and delta": bytes / viewers / CHANGES,
      "kas ms/delta": kas / CHANGES,
      "agentk ms/delta": agentk / CHANGES,
    });
    for (const each of crowd) each.close();
    await sleep(SETTLE_MS);
  }
  printTable(`CPU of ${CHANGES} deltas, one each ${BETWEEN_MS} ms (the idle work of the same time is in it)`, rows);
}

/** A ConfigMap comes and goes. */
async function changeSteadily(target: BearerTarget): Promise<void> {
  const path = `/api/v1/namespaces/${SMALL_NAMESPACE}/configmaps`;
  for (let index = 0; index < CHANGES; index += 1) {
    const answer = await (index % 2 === 0
      ? send(target, path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ metadata: { name: "beat" }, data: {} }),
        })
      : send(target, `${path}/beat`, { method: "DELETE" }));
    if (answer.statusCode >= 300) throw new Error(`a change was answered with ${answer.statusCode}`);
    await answer.body.dump();
    await sleep(BETWEEN_MS);
  }
}

function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}
