import { loadavg } from "node:os";

import { benchContenders } from "./contenders.ts";
import { startCrowdedCluster, startCrowdedProduct } from "./crowded-product.ts";
import { benchFirstGraph } from "./first-graph.ts";
import { printFigures } from "./goals.ts";
import { heldPodsFigures } from "./held-pods.ts";
import { indexMemoryFigures } from "./index-memory.ts";
import { benchModel } from "./model.ts";
import { benchReconnects } from "./reconnects.ts";
import { snapshotFigures } from "./snapshot-bytes.ts";
import { benchThousand } from "./thousand.ts";
import { benchViewers } from "./viewers.ts";

/** All figures of the environment view that need no browser. */
export async function benchView(): Promise<void> {
  await benchModel();
  printFigures("Memory of the index", await indexMemoryFigures());
  await benchCrowd();
  await benchFirstGraph();
  await benchReconnects();
  await benchThousand();
}

/** An environment of 10,000 pods: held in several ways, and by the real product, where the first viewer is measured first. */
async function benchCrowd(): Promise<void> {
  const cluster = await startCrowdedCluster();
  try {
    await benchContenders(cluster);
    const product = await startCrowdedProduct(cluster);
    try {
      const load = (loadavg()[0] ?? Number.NaN).toFixed(1);
      const figures = [...(await heldPodsFigures(product)), ...(await snapshotFigures(product))];
      printFigures(`The real product and 10,000 pods, ${cluster.cluster} cluster (load ${load})`, figures);
      await benchViewers(product);
    } finally {
      await product.sandbox.stop();
    }
  } finally {
    await cluster.stop();
  }
}
