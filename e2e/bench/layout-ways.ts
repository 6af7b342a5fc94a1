import { graphlib, layout } from "@dagrejs/dagre";
import ELK from "elkjs";
import { cardEdgesOf } from "../../apps/web/src/features/resource-graph/layout/card-edges.ts";
import { foldGraph } from "../../apps/web/src/features/resource-graph/layout/fold-graph.ts";
import { GraphEngine } from "../../apps/web/src/features/resource-graph/layout/graph-engine.ts";
import { CardLayout } from "../../apps/web/src/features/resource-graph/layout/layout-cards.ts";
import { routeEdges } from "../../apps/web/src/features/resource-graph/layout/routes.ts";
import type { DrawnWorld } from "./drawn-worlds.ts";

/** Size of a card, the same for all. */
const CARD = { width: 240, height: 80 };
/** Fold of the healthy workloads of the made-up world: it is opened, so that all draw the same number of cards. */
const OPEN = ["fold:healthy:load"];

/** Prepares a way to lay a world out; the function that it gives is what is measured. */
export type LayoutWay = (world: DrawnWorld) => () => unknown;

/** Places and lines of the page alone, of cards that are folded already. */
export const ownLayout: LayoutWay = ({ nodes, edges }) => {
  const folded = foldGraph(nodes, edges, { open: new Set(OPEN) });
  const lines = cardEdgesOf(folded, nodes, edges);
  return () => {
    const cards = new CardLayout();
    cards.tidy(folded.cards);
    return routeEdges(lines, cards.slots);
  };
};

/** A whole answer of the page's worker: folding, lines between folds, and what has changed as well. */
export const ownAnswer: LayoutWay = ({ nodes, edges }) => {
  const request = { nodes: [...nodes.values()], edges: [...edges.values()], open: OPEN, tidy: true };
  return () => new GraphEngine().answer(request);
};

/** What Headlamp lays out with: ELK's layered algorithm, lines at right angles. */
export const elkLayout: LayoutWay = ({ nodes, edges }) => {
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
export const dagreLayout: LayoutWay =
  ({ nodes, edges }) =>
  () => {
    const graph = new graphlib.Graph();
    graph.setGraph({ rankdir: "LR", nodesep: 30, ranksep: 44 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const id of nodes.keys()) graph.setNode(id, { ...CARD });
    for (const { source, target } of edges.values()) graph.setEdge(source, target);
    return layout(graph);
  };

/** All ways, by the name that a worker is told. */
export const LAYOUT_WAYS: Readonly<Record<string, LayoutWay>> = { ownLayout, ownAnswer, elkLayout, dagreLayout };
