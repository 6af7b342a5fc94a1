export { buildGraph } from "./build-graph.ts";
export { EDGE_CATALOGUE, isTreeClass, type EdgeKind } from "./edge-catalogue.ts";
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
