import { graphlib, layout } from "@dagrejs/dagre";
import ELK from "elkjs";
import type { DrawnWorld } from "./drawn-worlds.ts";

/** Size of a card, the same for all. */
const CARD = { width: 240, height: 80 };
/** The page's own, which belong to another package: loaded as a file, like the other programs that are measured. */
const OWN = new URL("../../apps/web/dev/own-layouts.ts", import.meta.url).href;

/** Prepares a way to lay a world out; the function that it gives is what is measured. */
type LayoutWay = (world: DrawnWorld) => () => unknown;

/** What Headlamp lays out with: ELK's layered algorithm, lines at right angles. */
const elkLayout: LayoutWay = ({ nodes, edges }) => {
  const elk = new ELK.default();
  return () =>
    elk.layout({
      id: "world",
      layoutOptions: { "elk.algorithm": "layered", "elk.direction": "RIGHT", "elk.edgeRouting": "ORTHOGONAL" },
      children: [...nodes.keys()].map((id) => ({ id, ...CARD })),
      edges: [...edges.values()].map(({ id, source, target }) => ({ id, sources: [source], targets: [target] })),
    });
};

/** What Argo CD lays out with. */
const dagreLayout: LayoutWay =
  ({ nodes, edges }) =>
  () => {
    const graph = new graphlib.Graph();
    graph.setGraph({ rankdir: "LR", nodesep: 30, ranksep: 44 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const id of nodes.keys()) graph.setNode(id, { ...CARD });
    for (const { source, target } of edges.values()) graph.setEdge(source, target);
    return layout(graph);
  };

/** The layout for the name that a worker gets: `ownLayout`, `ownAnswer`, `elkLayout` or `dagreLayout`. */
export async function layoutWay(name: string): Promise<LayoutWay> {
  // What that file exports, by its own types.
  const { OWN_LAYOUTS } = (await import(OWN)) as { readonly OWN_LAYOUTS: Readonly<Record<string, LayoutWay>> };
  const way = { ...OWN_LAYOUTS, elkLayout, dagreLayout }[name];
  if (way === undefined) throw new Error(`there is no layout ${name}`);
  return way;
}
