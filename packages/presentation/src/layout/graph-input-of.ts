import { EDGE_CATALOGUE } from "@binnacle/graph";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { LiveEdge, LiveNode } from "../graph/live-node.ts";
import { statusOf } from "../health/health-status.ts";
import { linesOfEdge } from "../graph/edge-words.ts";
import type { EdgeStyle, InputEdge, InputNode } from "./graph-input.ts";

/** Every class of the catalogue has its place in the legend; one of a newer server goes with the last. */
const STYLE_OF_CLASS: Readonly<Record<string, EdgeStyle>> = {
  owner: "owns",
  "inferred-owner": "owns",
  select: "routes",
  route: "routes",
  mount: "uses",
  bind: "binds",
  target: "binds",
  policy: "binds",
  rbac: "binds",
  class: "binds",
  place: "binds",
  group: "binds",
};

/** Rows of the catalogue that are drawn only when the user selects them. */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set(
  Object.entries(EDGE_CATALOGUE).flatMap(([kind, row]) => ("offByDefault" in row ? kind : [])),
);

/** What folding and layout need of a node. */
export function inputNodeOf(node: LiveNode): InputNode {
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
    generated: node.generated,
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
    left.generated === right.generated &&
    left.name === right.name
  );
}

/** What folding and layout need of an edge, turned the way it is drawn. `to` is the node it refers to. */
export function inputEdgeOf(edge: LiveEdge, to: LiveNode | undefined): InputEdge {
  const [source, target] = edge.flowReversed ? [edge.to, edge.from] : [edge.from, edge.to];
  const mark = markOf(edge);
  return { id: edge.id, source, target, style: styleOf(edge), kind: edge.kind, paths: linesOfEdge(edge, to), ...(mark && { mark }) };
}

/** Why a line dangles, or whether traffic takes it. */
function markOf({ missing, optional, refused, portMissing, ready, weight }: LiveEdge): InputEdge["mark"] {
  if (missing && !optional) return "missing";
  if (refused) return "refused";
  if (portMissing) return "port";
  if (ready === false || weight === 0) return "idle";
  return ready === true || weight !== undefined ? "flows" : undefined;
}

/** How an edge is drawn: what leads nowhere, or may not, dangles. An optional reference that leads nowhere is no fault: it keeps the look of its class. */
export function styleOf(edge: Pick<LiveEdge, "kind" | "edgeClass" | "missing" | "optional" | "refused" | "portMissing">): EdgeStyle {
  if (edge.refused || edge.portMissing || (edge.missing && !edge.optional)) return "dangling";
  if (OFF_BY_DEFAULT.has(edge.kind)) return "governs";
  return STYLE_OF_CLASS[edge.edgeClass] ?? "binds";
}
