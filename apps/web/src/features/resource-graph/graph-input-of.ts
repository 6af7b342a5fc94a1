import { Presence, type Edge, type Node } from "@binnacle/proto/dashboard";
import { statusOf } from "../live/health-status.ts";
import type { EdgeStyle, InputEdge, InputNode } from "./layout/graph-input.ts";

const STYLE_OF_CLASS: Readonly<Record<string, EdgeStyle>> = {
  owner: "owns",
  "inferred-owner": "owns",
  select: "routes",
  route: "routes",
  mount: "uses",
};

/** What folding and layout need of a node. */
export function inputNodeOf(node: Node): InputNode {
  return {
    id: node.id,
    group: node.ref?.group ?? "",
    kind: node.ref?.kind ?? "",
    namespace: node.ref?.namespace ?? "",
    name: node.ref?.name ?? "",
    ownerId: node.ownerId,
    presence: node.presence === Presence.MISSING ? "missing" : node.presence === Presence.NOT_VISIBLE ? "hidden" : "present",
    status: statusOf(node),
    superseded: node.superseded,
  };
}

/** Whether two inputs are the same, so that the layout need not hear of it. */
export function sameInput(left: InputNode | undefined, right: InputNode): boolean {
  return (
    left !== undefined &&
    left.ownerId === right.ownerId &&
    left.presence === right.presence &&
    left.status === right.status &&
    left.superseded === right.superseded &&
    left.name === right.name
  );
}

/** What folding and layout need of an edge, turned the way it is drawn. */
export function inputEdgeOf(edge: Edge): InputEdge {
  const [source, target] = edge.flowReversed ? [edge.to, edge.from] : [edge.from, edge.to];
  return { id: edge.id, source, target, style: styleOf(edge), kind: edge.kind, paths: edge.fieldPaths };
}

/** How an edge is drawn. An optional reference that leads nowhere is no fault: it keeps the look of its class. */
export function styleOf(edge: Pick<Edge, "edgeClass" | "missing" | "optional">): EdgeStyle {
  if (edge.missing && !edge.optional) return "dangling";
  return STYLE_OF_CLASS[edge.edgeClass] ?? "binds";
}
