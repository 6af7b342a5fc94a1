import { setTimeout as sleep } from "node:timers/promises";

import { openSession } from "../support/dashboard-client.ts";
import { pick } from "../support/endpoints.ts";
import type { Sandbox } from "../support/sandbox.ts";
import type { Figure } from "./goals.ts";
import { memoryMibOf } from "./process-cpu.ts";
import { openViewer } from "./raw-viewer.ts";

const WARM_UP = 50;
const SESSIONS = 300;
/** As many as one token may have. */
const STREAMS = 40;
const SETTLE_MS = 5_000;
const KIB_PER_MIB = 1_024;

/** What the dashboard's server keeps for a signed-in user, and for each stream of an environment that many look at. */
export async function viewerMemoryFigures(sandbox: Sandbox): Promise<readonly Figure[]> {
  const { web } = sandbox.endpoints.pids;
  const settled = async (): Promise<number> => {
    await sleep(SETTLE_MS);
    return memoryMibOf(web);
  };
  // What is compiled and pooled by the first ones belongs to no session.
  for (let index = 0; index < WARM_UP; index += 1) await openSession(sandbox, "maintainer");
  const idle = await settled();
  for (let index = 0; index < SESSIONS; index += 1) await openSession(sandbox, "maintainer");
  const signedIn = await settled();
  const session = await openSession(sandbox, "maintainer");
  const { name, project } = pick(sandbox.endpoints.environments, (environment) => environment.name === "production");
  const open = () => openViewer(session, { projectPath: project, environment: name });
  const first = await open();
  first.drain();
  const one = await settled();
  const others = await Promise.all(Array.from({ length: STREAMS - 1 }, open));
  for (const each of others) each.drain();
  const many = await settled();
  for (const each of [first, ...others]) each.close();
  return [
    { figure: `memory of each of ${SESSIONS} who signed in (RSS)`, value: ((signedIn - idle) * KIB_PER_MIB) / SESSIONS, unit: "KiB" },
    { figure: `memory of each further of ${STREAMS} open streams (RSS)`, value: ((many - one) * KIB_PER_MIB) / (STREAMS - 1), unit: "KiB" },
  ];
}
