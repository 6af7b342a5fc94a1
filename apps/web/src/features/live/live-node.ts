import type { Edge, Node, ResourceRef } from "@binnacle/proto/dashboard";
import { isSameMessage } from "./same-message.ts";

/** A node as pages know it: by its name, which every view of the cluster gives it, and not by the number of one view. */
export interface LiveNode extends Omit<Node, "id" | "ownerId"> {
  /** As `nodeIdOf` says. */
  readonly id: string;
  /** Id of its owner; empty for a root. */
  readonly ownerId: string;
  /** Another number once the object was created anew under its name. */
  readonly life: number;
}

/** An edge as pages know it. */
export interface LiveEdge extends Omit<Edge, "id" | "from" | "to"> {
  /** "from kind to". */
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Id of the node that stands for a resource: no two nodes of a view have the same. */
export function nodeIdOf({ group, kind, namespace, name }: Pick<ResourceRef, "group" | "kind" | "namespace" | "name">): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/** Whether two nodes are the same in all that is known of them, whatever number their views gave them. */
export function isSameNode(a: LiveNode, b: LiveNode): boolean {
  return isSameMessage(a, b);
}

/** Whether two edges are the same, likewise. */
export function isSameEdge(a: LiveEdge, b: LiveEdge): boolean {
  return isSameMessage(a, b);
}
