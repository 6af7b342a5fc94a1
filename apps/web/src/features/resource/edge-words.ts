import type { Edge, Node } from "@binnacle/proto/dashboard";

const CUSTOM = "custom:";

/** What an edge is called: the id of a rule of the user's, else its class, "inferred-owner". */
export function nameOfEdge(edge: Pick<Edge, "kind" | "edgeClass">): string {
  return edge.kind.startsWith(CUSTOM) ? edge.kind.slice(CUSTOM.length) : edge.edgeClass;
}

/** Why a reference into another namespace does not count; empty for any other. `to` is the node it refers to. */
export function refusalOf(edge: Pick<Edge, "refused">, to: Pick<Node, "ref"> | undefined): string {
  const namespace = to?.ref?.namespace ?? "";
  if (!edge.refused) return "";
  return `refused: no ReferenceGrant in ${namespace === "" ? "the other namespace" : `namespace ${namespace}`} allows it`;
}

/** What is said of a line under the pointer: a refusal, the rule of the user's, where the reference stands. */
export function linesOfEdge(edge: Edge, to: Node | undefined): string[] {
  const rule = edge.kind.startsWith(CUSTOM) ? nameOfEdge(edge) : "";
  return [refusalOf(edge, to), rule, ...edge.fieldPaths].filter((line) => line !== "");
}
