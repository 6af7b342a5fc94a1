import { setTimeout as sleep } from "node:timers/promises";

import { openSession, type DashboardSession } from "../support/dashboard-client.ts";
import { Sandbox } from "../support/sandbox.ts";
import { printFigures, type Figure } from "./goals.ts";
import { memoryMibOf } from "./process-cpu.ts";
import { openViewer, type RawViewer } from "./raw-viewer.ts";

/** Each may have 40 streams, and 20 may begin in a minute. */
const SESSIONS = 12;
const STREAMS = 400;
/** So many are closed and opened anew each second. */
const CHURN_PER_SECOND = 4;
const SOAK_S = 180;
/** What is compiled and pooled once belongs to no viewer: it is there before the soak. */
const WARM_UP_STREAMS = 20;
const QUIET_S = 60;
/** RSS after a minute of silence over RSS before the soak. */
const GOAL = 1.25;

/** `npm run bench -- soak`: whether the dashboard's server gives memory back after 400 streams with churn (docs/design/limits.md). */
export async function benchSoak(): Promise<void> {
  const sandbox = await Sandbox.start({ cluster: "embedded", flags: ["--kas", "2"] });
  try {
    printFigures(`${STREAMS} streams for ${SOAK_S} s, ${CHURN_PER_SECOND} closed and opened each second`, await soakFigures(sandbox));
  } finally {
    await sandbox.stop();
  }
}

async function soakFigures(sandbox: Sandbox): Promise<readonly Figure[]> {
  const { web } = sandbox.endpoints.pids;
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => openSession(sandbox, "maintainer")));
  const environments = sandbox.endpoints.environments;
  let opened = 0;
  const openNext = async (): Promise<RawViewer> => {
    const session = sessions[opened % SESSIONS] as DashboardSession;
    const { name, project } = environments[opened % environments.length] ?? { name: "", project: "" };
    opened += 1;
    const viewer = await openViewer(session, { projectPath: project, environment: name });
    viewer.drain();
    return viewer;
  };
  const warm = await Promise.all(Array.from({ length: WARM_UP_STREAMS }, openNext));
  await sleep(5_000);
  for (const viewer of warm) viewer.close();
  await sleep(5_000);
  const before = memoryMibOf(web);
  const streams: RawViewer[] = [];
  while (streams.length < STREAMS) streams.push(await openNext());
  let peak = memoryMibOf(web);
  for (const end = Date.now() + SOAK_S * 1_000; Date.now() < end; await sleep(1_000 / CHURN_PER_SECOND)) {
    streams.shift()?.close();
    streams.push(await openNext());
    peak = Math.max(peak, memoryMibOf(web));
  }
  const loaded = memoryMibOf(web);
  for (const viewer of streams) viewer.close();
  await sleep(QUIET_S * 1_000);
  const after = memoryMibOf(web);
  return [
    { figure: "before", value: before, unit: "MiB" },
    { figure: "highest", value: peak, unit: "MiB" },
    { figure: "at the end of the load", value: loaded, unit: "MiB" },
    { figure: `${QUIET_S} s after its end`, value: after, unit: "MiB" },
    { figure: "  over before", value: after / before, unit: "×", goal: GOAL },
  ];
}
