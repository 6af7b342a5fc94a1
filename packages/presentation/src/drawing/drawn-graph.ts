import type { LiveEdge, LiveNode } from "../graph/live-node.ts";
import type { CardEdge } from "../layout/card.ts";
import type { PlacedCard } from "../layout/graph-engine.ts";
import type { EdgeStyle } from "../layout/graph-input.ts";

/** The nodes and edges of a view, for those who put them into words. */
export interface GraphOfView {
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly edges: ReadonlyMap<string, LiveEdge>;
  readonly node: (id: string) => LiveNode | undefined;
  /** Raised by every change of nodes or edges. */
  readonly graphVersion: () => number;
}

/** What the layout has made of them. */
export interface DrawnGraph {
  readonly cards: ReadonlyMap<string, PlacedCard>;
  readonly edges: ReadonlyMap<string, CardEdge>;
  /** Nodes that the filter hides. */
  readonly hidden: number;
  /** Edges of the graph by style, folded ones too. */
  readonly edgeCounts: Readonly<Record<EdgeStyle, number>>;
}
