import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { HealthStatus } from "@binnacle/proto/dashboard";

import { clientOf, openSessionAt } from "../support/dashboard-client.ts";
import { freePort } from "../support/free-port.ts";
import { startOtherWeb } from "../support/other-dashboard.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { IndexReader } from "../thousand/index-reader.ts";
import { memoryMibOf } from "./process-cpu.ts";
import type { Figure } from "./goals.ts";
import { percentile } from "./statistics.ts";
import { waitUntil } from "./wait-until.ts";

const STAND_INS = fileURLToPath(new URL("../../apps/web/dev/summarizing-agents.ts", import.meta.url));
const AGENTS = 50;
const EACH = 40;
const ROUNDS = 40;
const BETWEEN_MS = 300;
const SETTLE_MS = 5_000;

/** What the stand-ins say of themselves. */
interface World {
  readonly mainApplication: string;
  readonly kas: string;
  readonly token: string;
  readonly project: string;
  readonly environments: readonly { readonly name: string; readonly namespace: string }[];
}

/** An index of 2,000 environments whose health 50 agents tell: a real dashboard, in front of stand-ins of kas and of the main application. */
export async function indexOfAgentsFigures(sandbox: Sandbox): Promise<readonly Figure[]> {
  const standIns = fork(STAND_INS, [String(AGENTS), String(EACH)]);
  try {
    const world = await heard<World>(standIns);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const main = { name: "Example", external_url: url, internal_url: world.mainApplication, troubleshooting_url: `${url}/help` };
    const configuration = { main_application: main, kas: { external_url: world.kas, internal_url: world.kas } };
    const web = await startOtherWeb(sandbox, { url, port, configuration });
    try {
      return await look(standIns, world, { url, pid: web.pid });
    } finally {
      await web.stop();
    }
  } finally {
    standIns.kill();
  }
}

async function look(
  standIns: ChildProcess,
  { token, project, environments }: World,
  web: { readonly url: string; readonly pid: number },
): Promise<readonly Figure[]> {
  const client = clientOf(await openSessionAt(web.url, token));
  const names = environments.map(({ name }) => name);
  await sleep(SETTLE_MS);
  const before = memoryMibOf(web.pid);
  const index = new IndexReader(client, { project, names });
  await waitUntil(() => index.knownAfterMs.size === names.length);
  const allKnownMs = Math.max(...index.knownAfterMs.values());
  await sleep(SETTLE_MS);
  const held = memoryMibOf(web.pid) - before;
  standIns.send({ count: true });
  const { watches, answers } = await heard<{ readonly watches: number; readonly answers: number }>(standIns);
  const lags: number[] = [];
  for (const { name, namespace } of environments.slice(0, ROUNDS)) {
    await sleep(BETWEEN_MS);
    const beganMs = performance.now();
    standIns.send({ tell: namespace });
    await waitUntil(() => index.rows.get(name)?.health?.status === HealthStatus.DEGRADED);
    lags.push(performance.now() - beganMs);
  }
  index.close();
  return [
    {
      figure: `index of ${names.length} environments, ${AGENTS} agents: rows on the screen known`,
      value: index.screenKnownAfterMs,
      unit: "ms",
    },
    { figure: "all rows known", value: allKnownMs, unit: "ms" },
    { figure: "memory of the dashboard's server for it (RSS)", value: held, unit: "MiB" },
    { figure: "answers of kas that are open", value: answers, unit: "" },
    { figure: "watches through kas", value: watches, unit: "" },
    { figure: "agent tells another health → row, p50", value: percentile(lags, 0.5), unit: "ms" },
    { figure: "agent tells another health → row, p95", value: percentile(lags, 0.95), unit: "ms" },
  ];
}

async function heard<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, "message")) as [T];
  return message;
}
