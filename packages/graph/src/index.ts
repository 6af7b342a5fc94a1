export {
  type EdgeClass,
  type GraphChanges,
  type GraphEdge,
  type GraphNode,
  type KindAccess,
  type KindAccessEntry,
  type Presence,
} from "./graph-model.ts";
