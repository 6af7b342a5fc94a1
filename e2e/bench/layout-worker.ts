import { parentPort, workerData } from "node:worker_threads";
import { drawnWorld } from "./drawn-worlds.ts";
import { layoutWay } from "./layout-ways.ts";
import type { LayoutTask } from "./layouts.ts";
import { median } from "./statistics.ts";

// The data from the parent thread.
const { way, resources, runs } = workerData as LayoutTask;
const prepare = await layoutWay(way);
const run = prepare(drawnWorld(resources));
const times: number[] = [];
for (let each = 0; each < runs; each += 1) {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  times.push((user + system) / 1000);
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
parentPort?.postMessage(median(times.slice(Math.floor(runs / 2))));
