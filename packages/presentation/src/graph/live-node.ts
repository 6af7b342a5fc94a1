import type { Edge, Node, ResourceRef } from "@binnacle/proto/dashboard";

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
