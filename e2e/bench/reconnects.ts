import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { openDashboard, openSession, type DashboardSession } from "../support/dashboard-client.ts";
import { Sandbox } from "../support/sandbox.ts";
import { printFigures } from "./goals.ts";
import { openPages } from "./page-stream.ts";
import { cpuMsOf } from "./process-cpu.ts";
import { percentile, printTable } from "./statistics.ts";
import { fillNamespace } from "./world.ts";

/** Its namespace has the same name. */
const ENVIRONMENT = "production";
const RESOURCES = 5_000;
const PAGES = 200;
const ALONE_ROUNDS = 10;
/** As many as one token may have; what is more are further pages of the same browsers. */
const SESSION_STREAMS = 40;
/** As fast as a view sends its changes. */
const CHANGE_EACH_MS = 250;
const GOAL_MS = 10_000;

interface Storm {
  readonly waits: readonly number[];
  readonly cpuMs: number;
  readonly bytes: number;
}

/** Two hundred pages of an environment of 5,000 resources come back at once, while it changes four times a second. */
export async function benchReconnects(): Promise<void> {
  const sandbox = await Sandbox.start({ cluster: "embedded" });
  try {
    const target = targetOf(sandbox.endpoints.kubeconfigs.cluster);
    await fillNamespace(target, ENVIRONMENT, RESOURCES);
    await measure(sandbox, target);
  } finally {
    await sandbox.stop();
  }
}

async function measure(sandbox: Sandbox, target: BearerTarget): Promise<void> {
  const names = sandbox.endpoints.users.map(({ username }) => username).filter((username) => username !== "outsider");
  const sessions = await Promise.all(names.map((name) => openSession(sandbox, name)));
  const browsers = sessions.flatMap((session) => Array.from({ length: SESSION_STREAMS - 1 }, () => session));
  const stop = new AbortController();
  const staying = await Promise.all(names.map((name) => stay(sandbox, name, stop.signal)));
  const changing = changeSteadily(target, stop.signal);
  try {
    const load = (loadavg()[0] ?? Number.NaN).toFixed(1);
    const alone: Storm[] = [];
    for (let round = 0; round < ALONE_ROUNDS; round += 1) alone.push(await storm(sandbox, browsers.slice(0, 1), 1));
    const crowd = await storm(sandbox, browsers, PAGES);
    const rows = [rowOf(1, alone), rowOf(PAGES, [crowd])];
    printTable(`First picture of ${RESOURCES} resources that change 4 times a second (load before ${load})`, rows);
    const p95 = percentile(crowd.waits, 0.95);
    printFigures("Reconnects", [{ figure: `${PAGES} reconnects at once, first picture p95`, value: p95, unit: "ms", goal: GOAL_MS }]);
  } finally {
    stop.abort();
    await Promise.allSettled([changing, ...staying.map(({ ended }) => ended)]);
  }
}

/** So many pages come at once, spread over the browsers; settles when each has its picture. */
async function storm(sandbox: Sandbox, browsers: readonly DashboardSession[], pages: number): Promise<Storm> {
  const { pids, environments } = sandbox.endpoints;
  const environment = { projectPath: environments[0]?.project ?? "", environment: ENVIRONMENT };
  const before = cpuMsOf(pids.web);
  const used = browsers.slice(0, pages);
  const streams = used.map((session, index) => {
    const own = Math.floor(pages / used.length) + (index < pages % used.length ? 1 : 0);
    return openPages(session, environment, own);
  });
  try {
    const waits = (await Promise.all(streams.map(({ pictures }) => pictures))).flat();
    return { waits, cpuMs: cpuMsOf(pids.web) - before, bytes: streams.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    for (const stream of streams) stream.close();
    await sleep(1_000);
  }
}

function rowOf(pages: number, storms: readonly Storm[]): Record<string, string | number> {
  const waits = storms.flatMap((each) => each.waits);
  const perPage = (of: (storm: Storm) => number): number => storms.reduce((sum, each) => sum + of(each), 0) / waits.length;
  return {
    "pages at once": pages,
    "p50 ms": percentile(waits, 0.5),
    "p95 ms": percentile(waits, 0.95),
    "web CPU ms/page": perPage(({ cpuMs }) => cpuMs),
    "KiB/page": perPage(({ bytes }) => bytes) / 1_024,
  };
}

/** A page that stays, so that the view is there; settles once it is whole with a promise of its end. */
async function stay(sandbox: Sandbox, username: string, signal: AbortSignal): Promise<{ readonly ended: Promise<unknown> }> {
  const client = await openDashboard(sandbox, username);
  const projectPath = sandbox.endpoints.environments[0]?.project ?? "";
  const stream = client.watchEnvironment({ projectPath, environment: ENVIRONMENT }, { signal })[Symbol.asyncIterator]();
  const seen = new Set<unknown>();
  for (let isComplete = false; !isComplete || seen.size < RESOURCES;) {
    const { value, done } = await stream.next();
    if (done === true) throw new Error("the stream ended before its picture was whole");
    const { message } = value;
    if (message.case !== "snapshot" && message.case !== "delta") continue;
    const nodes = message.case === "snapshot" ? message.value.nodes : message.value.upsertedNodes;
    for (const node of nodes) seen.add(node.id);
    isComplete ||= message.value.complete;
  }
  const drain = async (): Promise<void> => {
    while ((await stream.next()).done !== true);
  };
  return { ended: drain().catch(() => undefined) };
}

/** A ConfigMap changes all the time. */
async function changeSteadily(target: BearerTarget, signal: AbortSignal): Promise<void> {
  const path = `/api/v1/namespaces/${ENVIRONMENT}/configmaps/settings-${RESOURCES - 1}`;
  const headers = { "content-type": "application/merge-patch+json" };
  for (let turn = 0; !signal.aborted; turn += 1) {
    const answer = await send(target, path, { method: "PATCH", headers, body: JSON.stringify({ data: { a: String(turn) } }) });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`a change was answered with ${answer.statusCode}`);
    await sleep(CHANGE_EACH_MS);
  }
}
