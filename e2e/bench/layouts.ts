import { Worker } from "node:worker_threads";
import type { Figure } from "./goals.ts";

/** What one thread is to measure. */
export interface LayoutTask {
  readonly way: string;
  readonly resources: number;
  /** The first half of the runs warms up. */
  readonly runs: number;
}

const SIZES = [50, 500, 2_000, 5_000];
const MAX_CARDS = 5_000;
const GOAL_MS = 40;
/** After so long a layout is of no use to anybody. */
const LIMIT_MS = 60_000;

/** The layout of the page beside those of others, by the same worlds with as many cards: CPU time in a thread of its own, warm. */
export async function layoutFigures(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const resources of SIZES) {
    const add = async (figure: string, way: string, rest: { readonly runs: number; readonly goal?: number }): Promise<void> => {
      const { runs, ...goal } = rest;
      const value = await measured({ way, resources, runs });
      const suffix = value === undefined ? `, ended after ${LIMIT_MS / 1000} s` : "";
      figures.push({ figure: `${resources} resources: ${figure}${suffix}`, value: value ?? LIMIT_MS, unit: "ms", ...goal });
    };
    await add("Binnacle, layout and lines", "ownLayout", { runs: 60, ...(resources === MAX_CARDS && { goal: GOAL_MS }) });
    await add("Binnacle, whole answer of the worker", "ownAnswer", { runs: 20 });
    await add("ELK, layered", "elkLayout", { runs: resources > 500 ? 1 : 8 });
    await add("dagre", "dagreLayout", { runs: resources > 500 ? 1 : 8 });
  }
  return figures;
}

/** `undefined`: it took too long. */
async function measured(task: LayoutTask): Promise<number | undefined> {
  const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { workerData: task });
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const timer = setTimeout(() => resolve(undefined), LIMIT_MS);
  worker.on("message", resolve);
  worker.on("error", reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
