import { benchContenders } from "./contenders.ts";
import { benchFirstGraph } from "./first-graph.ts";
import { benchModel } from "./model.ts";

/** All figures of the environment view: health and graph, a store of 10,000 pods beside others, the first graph of the product. */
export async function benchView(): Promise<void> {
  await benchModel();
  await benchContenders();
  await benchFirstGraph();
}
