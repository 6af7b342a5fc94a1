import type { KubeObject } from "@binnacle/kube";

/**
 * What an edge means; only `owner` and `inferred-owner` form the tree, all others are overlays. `group` = deployed together by a
 * tool (Flux, Argo CD, Helm), which manages the objects but does not own them.
 */
export type EdgeClass = (typeof EDGE_CLASSES)[number];

/** All classes of edges. */
export const EDGE_CLASSES = [
  "owner",
  "inferred-owner",
  "group",
  "select",
  "route",
  "mount",
  "bind",
  "target",
  "policy",
  "rbac",
  "class",
  "place",
] as const;

/** Whether a node stands for an object that was seen. */
export type Presence = "present" | "missing" | "not-visible";

/** One node. */
export interface GraphNode {
  /** uid of the object, or `group/kind/namespace/name` when it has none or was not seen. */
  readonly id: string;
  /** API group, empty for core. */
  readonly group: string;
  /** Empty when only the group is known. */
  readonly version: string;
  readonly kind: string;
  /** Empty for cluster scope. */
  readonly namespace: string;
  readonly name: string;
  readonly presence: Presence;
  /** Parent in the spanning forest of owner and inferred-owner edges; absent for a root. */
  readonly ownerId?: string;
  /** The object itself, exactly as it was given; absent for a ghost. */
  readonly object?: KubeObject;
}

/** One line: `from` holds the reference. There is one edge per (from, to, kind). */
export interface GraphEdge {
  /** `from|kind|to`. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Row of the catalogue: "owner", "svc-pod", "pod-cm", …, or `custom:<id>` of a user's rule. */
  readonly kind: string;
  readonly class: EdgeClass;
  /** Where the reference stands in `from`, sorted; several when several fields say the same. "spec.claimRef" stands in `to`. */
  readonly fieldPaths: readonly string[];
  /** Every reference is marked optional. */
  readonly optional: boolean;
  /** The target is known not to exist. */
  readonly missing: boolean;
  /** Drawn from `to` to `from`: parents before children, traffic flows forward. */
  readonly flowReversed: boolean;
  /** A ReferenceGrant would be needed and there is none. While grants cannot be seen, nothing is refused. */
  readonly refused: boolean;
  /** A reference names a port that the Service does not have. */
  readonly portMissing: boolean;
  /** Of an endpoint: whether it takes traffic; absent on all other edges. */
  readonly ready?: boolean;
  /** The names or numbers of those ports, sorted; absent when there are none. */
  readonly missingPorts?: readonly string[];
  /** Of a backend of a route: the greatest weight that a rule gives it, 0 = no traffic; absent on all other edges. */
  readonly weight?: number;
  /** Of such a backend: the greatest part of the traffic of one rule that comes to it, 0 to 1. */
  readonly share?: number;
}

/** What changed since it was last read. An id is never in both lists of a pair. */
export interface GraphChanges {
  readonly upsertedNodes: readonly GraphNode[];
  readonly removedNodes: readonly string[];
  readonly upsertedEdges: readonly GraphEdge[];
  readonly removedEdges: readonly string[];
  /** Nodes whose `relatedOf` may have changed, besides the upserted ones: their health is to be looked at again. Sorted. */
  readonly dependents: readonly string[];
}

/** A ghost that is really missing, and who needs it. */
export interface MissingReference {
  readonly node: GraphNode;
  /** Nodes that refer to it; owners and traffic that lags behind do not count. Sorted by id. */
  readonly referencedBy: readonly GraphNode[];
}

/**
 * How much of a kind is seen. `synced`: may be listed and the list is complete, so what is not there does not exist.
 * Anything else (still loading, forbidden, not served, unknown) is "not visible".
 */
export type KindAccess = "synced" | "not-visible";

/** Access by kind. */
export interface KindAccessEntry {
  /** API group, empty for core. */
  readonly group: string;
  readonly kind: string;
  readonly access: KindAccess;
  /** Namespaces in which it is synced (an empty one for cluster scope); absent = all of them. */
  readonly namespaces?: readonly string[];
  /**
   * Present when the list has an age: which poll it comes from, any number that changes with the next one. What was missing then stays
   * so; whether something exists that is referred to only since then is unknown.
   */
  readonly look?: number;
}

/** An owner reference that does not count, or had to be cut. */
export type OwnerWarning =
  | { readonly problem: "ring"; /** All nodes of the ring. */ readonly ids: readonly string[] }
  | { readonly problem: "other-namespace"; /** The child and the owner that it names. */ readonly ids: readonly [string, string] };
