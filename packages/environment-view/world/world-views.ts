import { isDeepStrictEqual } from "node:util";

import type { CustomEdgeRule } from "@binnacle/graph";

import { EnvironmentView, HttpKubeClient, type ViewScope } from "../src/index.ts";
import { PictureReader } from "./view-picture.ts";
import type { SkippingClock } from "./skipping-clock.ts";
import { SCOPE, type WorldCluster } from "./world-cluster.ts";
import { WitnessClient, type Versions } from "./witness-client.ts";

/** Longer than a view waits before it looks again at what may have changed by time alone, and before it tells. */
const REVIEW_MS = 16_000;
const POLL_MS = 20;
const PATIENCE_MS = 180_000;

/** How a view looks at the world. */
export interface Look {
  readonly way: "streams" | "pages";
  /** Absent: the namespace under view. */
  readonly scope?: ViewScope;
  readonly customEdges?: readonly CustomEdgeRule[];
}

/** A view that runs, and what it has shown so far. */
export class RunningView {
  readonly reader = new PictureReader();
  readonly witness: WitnessClient;
  readonly #stop = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(cluster: WorldCluster, clock: SkippingClock, { way, scope = SCOPE, customEdges = [] }: Look) {
    const transport = cluster.connect();
    this.witness = new WitnessClient(new HttpKubeClient(transport), way);
    const view = new EnvironmentView({ client: this.witness, scope, customEdges, clock });
    const { signal } = this.#stop;
    this.#ended = Promise.all([view.run(signal), this.#read(view, signal)]).finally(() => transport.close());
  }

  /** Waits until every source has answered. @throws Error when that takes too long */
  async completed(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!this.reader.complete) {
      if (Date.now() > deadline) throw new Error("a fresh view does not become complete");
      await pause();
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  /** Whether it knows exactly these versions. */
  knows(versions: Versions): boolean {
    return [...versions].every(([kind, objects]) => isDeepStrictEqual(this.witness.seen(kind), objects));
  }

  async #read(view: EnvironmentView, signal: AbortSignal): Promise<void> {
    for await (const message of view.watch(signal)) this.reader.take(message);
  }
}

/**
 * A quiet point: nothing changes in the cluster while the live view knows all of it and a fresh view comes up beside it. Then
 * both look at the clock once more.
 *
 * @returns what the two show
 * @throws Error when the cluster does not come to rest or the live view does not get to know what there is
 */
export async function quietPoint(
  cluster: WorldCluster,
  clock: SkippingClock,
  live: RunningView,
): Promise<readonly [PictureReader, PictureReader]> {
  const deadline = Date.now() + PATIENCE_MS;
  let unknown: readonly string[] = [];
  while (Date.now() < deadline) {
    const versions = await cluster.versions();
    unknown = [...versions].filter((entry) => !live.knows(new Map([entry]))).map(([kind]) => kind);
    if (unknown.length === 0) {
      const fresh = new RunningView(cluster, clock, { way: "pages" });
      const isQuiet = async (): Promise<boolean> =>
        isDeepStrictEqual(await cluster.versions(), versions) && fresh.knows(versions) && live.knows(versions);
      try {
        await fresh.completed();
        if (await isQuiet()) {
          await clock.skip(REVIEW_MS);
          // Each reviews the time in its own rhythm: what became stale between a review of one and of the other is shown by both
          // after the next.
          if (!isDeepStrictEqual(live.reader.picture, fresh.reader.picture)) await clock.skip(REVIEW_MS);
          if (await isQuiet()) return [live.reader, fresh.reader];
        }
      } finally {
        await fresh.close();
      }
    }
    await pause();
  }
  throw new Error(unknown.length > 0 ? `the view does not know the newest ${unknown.join(", ")}` : "the cluster does not come to rest");
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
