export { buildGraph } from "./build-graph.ts";
export { holderPathsOf, type CustomEdgeProblem, type CustomEdgeRule, type EdgePack } from "./custom-edge-rule.ts";
export { parseCustomEdges, type CustomEdgeRules } from "./custom-edges.ts";
export { EDGE_PACKS } from "./packs/edge-packs.ts";
export { namespaceFor } from "./cluster-kinds.ts";
export { EDGE_CATALOGUE, isTreeClass, type EdgeKind } from "./edge-catalogue.ts";
export { isGeneratedSecret } from "./folding/generated-secret.ts";
export { endsIn, foldEdges, unfoldEdges, type FoldEdge, type FoldedEdges, type FoldedLine, type FoldEnds } from "./folding/fold-edges.ts";
export { type FoldGroup, type Folding, type FoldNode } from "./folding/fold-model.ts";
export { foldNodes, unfoldNodes, type FoldOptions } from "./folding/fold-nodes.ts";
export { rankOfStatus, type FoldStatus, type StatusCount } from "./folding/fold-status.ts";
export { type FoldReason } from "./folding/fold-reason.ts";
export { forestOf, type Forest, type ForestNode } from "./folding/forest.ts";
export { isSupporting } from "./folding/supporting-kinds.ts";
export { aboutOf, isEvent, type EventTarget } from "./event-target.ts";
export {
  EDGE_CLASSES,
  type EdgeClass,
  type GraphChanges,
  type GraphEdge,
  type GraphNode,
  type KindAccess,
  type KindAccessEntry,
  type MissingReference,
  type OwnerWarning,
  type Presence,
} from "./graph-model.ts";
export { inventoriesOf, type InventoryEntry, missingEntriesOf } from "./inventory/inventories-of.ts";
export { type InventoryTool, type ManagedBy } from "./inventory/managed-by.ts";
export { managerOf } from "./inventory/manager-of.ts";
export { membersOf, type Membership, type ScopeGraph } from "./inventory/members-of.ts";
export { ScopeIndex } from "./inventory/scope-index.ts";
export { type ScopeNode, type ScopeSelector } from "./inventory/scope-selector.ts";
export { productsOf } from "./products.ts";
export { matchesSelector, parseLabelMap, parseLabelSelector, type LabelRequirement, type LabelSelector } from "./label-selector.ts";
export { idOf, ResourceGraph, type ResourceGraphOptions } from "./resource-graph.ts";
