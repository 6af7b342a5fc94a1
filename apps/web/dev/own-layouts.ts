/** Ways to lay a world out that `npm run bench -- dashboard` measures beside those of others (`e2e/bench/layout-ways.ts`). */
import { cardEdgesOf } from "@binnacle/presentation/layout/card-edges";
import { foldGraph } from "@binnacle/presentation/layout/fold-graph";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import type { InputEdge, InputNode } from "@binnacle/presentation/layout/graph-input";
import { CardLayout } from "@binnacle/presentation/layout/layout-cards";
import { routeEdges } from "@binnacle/presentation/layout/routes";

interface World {
  readonly nodes: ReadonlyMap<string, InputNode>;
  readonly edges: ReadonlyMap<string, InputEdge>;
}

/** Fold of the healthy workloads of the made-up world: it is opened, so that all draw the same number of cards. */
const OPEN = ["fold:healthy:load"];

/** `ownLayout`: places and lines alone, of cards that are folded already. `ownAnswer`: a whole answer of the worker. */
export const OWN_LAYOUTS = {
  ownLayout({ nodes, edges }: World) {
    const folded = foldGraph(nodes, edges, { open: new Set(OPEN) });
    const lines = cardEdgesOf(folded, nodes, edges);
    return () => {
      const cards = new CardLayout();
      cards.tidy(folded.cards);
      return routeEdges(lines, cards.slots);
    };
  },
  ownAnswer({ nodes, edges }: World) {
    const request = { nodes: [...nodes.values()], edges: [...edges.values()], open: OPEN, tidy: true };
    return () => new GraphEngine().answer(request);
  },
};
