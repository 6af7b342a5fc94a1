import { setTimeout as sleep } from "node:timers/promises";

import { openSession } from "../support/dashboard-client.ts";
import { BENCH_NAMESPACE, BENCH_PODS } from "./bench-pods.ts";
import type { CrowdedProduct } from "./crowded-product.ts";
import type { Figure } from "./goals.ts";
import { readPicture } from "./held-picture.ts";
import { listMs } from "./list-directly.ts";
import { memoryMibOf, peakMemoryMibOf, resetPeakMemoryOf } from "./process-cpu.ts";
import { openViewer } from "./raw-viewer.ts";

const QUIET_MS = 5_000;
const WAYS = ["api/v1/namespaces/%/pods", "api/v1/namespaces/%/configmaps"];

/** What the dashboard's server needs for an environment of 10,000 pods, all kinds. It must not have been viewed before. */
export async function heldPodsFigures({ sandbox, target }: CrowdedProduct): Promise<readonly Figure[]> {
  const session = await openSession(sandbox, "maintainer");
  const { project = "" } = sandbox.endpoints.environments[0] ?? {};
  const { web } = sandbox.endpoints.pids;
  const directMs = await listMs(target, WAYS, BENCH_NAMESPACE);
  await sleep(QUIET_MS);
  const idleMib = memoryMibOf(web);
  resetPeakMemoryOf(web);
  const started = performance.now();
  const viewer = await openViewer(session, { projectPath: project, environment: BENCH_NAMESPACE });
  const { nodes } = await readPicture(viewer, BENCH_PODS);
  const shownMs = performance.now() - started;
  await sleep(QUIET_MS);
  const [peakMib, heldMib] = [peakMemoryMibOf(web), memoryMibOf(web)];
  viewer.close();
  return [
    {
      figure: `${BENCH_PODS} pods held, all kinds (${nodes} nodes): peak RSS above idle`,
      value: peakMib - idleMib,
      unit: "MiB",
      goal: 200,
    },
    { figure: `the same ${QUIET_MS / 1000} s later`, value: heldMib - idleMib, unit: "MiB" },
    { figure: "RSS of the dashboard's server while idle", value: idleMib, unit: "MiB" },
    { figure: "time until all were shown", value: shownMs, unit: "ms" },
    { figure: "listing pods and ConfigMaps directly", value: directMs, unit: "ms" },
  ];
}
