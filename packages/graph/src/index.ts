export { buildGraph } from "./build-graph.ts";
export { EDGE_CATALOGUE, isTreeClass, type EdgeKind } from "./edge-catalogue.ts";
export { isGeneratedSecret } from "./folding/generated-secret.ts";
export { endsIn, foldEdges, unfoldEdges, type FoldEdge, type FoldedEdges, type FoldedLine, type FoldEnds } from "./folding/fold-edges.ts";
export { type FoldGroup, type Folding, type FoldNode } from "./folding/fold-model.ts";
export { foldNodes, unfoldNodes, type FoldOptions } from "./folding/fold-nodes.ts";
export { rankOfStatus, type FoldStatus, type StatusCount } from "./folding/fold-status.ts";
export { type FoldReason } from "./folding/fold-title.ts";
export { forestOf, type Forest, type ForestNode } from "./folding/forest.ts";
export {
  type EdgeClass,
  type GraphChanges,
  type GraphEdge,
  type GraphNode,
  type KindAccess,
  type KindAccessEntry,
  type MissingReference,
  type Presence,
} from "./graph-model.ts";
export { matchesSelector, parseLabelMap, parseLabelSelector, type LabelRequirement, type LabelSelector } from "./label-selector.ts";
export { idOf, ResourceGraph } from "./resource-graph.ts";
