/** How an edge is drawn, and its legend entry. */
export type EdgeStyle = "owns" | "routes" | "uses" | "binds" | "governs" | "dangling";

/** All styles, in the order of the legend. */
export const EDGE_STYLES: readonly EdgeStyle[] = ["owns", "routes", "uses", "binds", "governs", "dangling"];

/**
 * The mark on a line besides its style, so that color is not the only sign: it leads to what does not exist, is refused, names a
 * port that is not there, or no traffic takes it.
 */
export type LineMark = "missing" | "refused" | "port" | "idle";

/** All marks, gravest first. */
export const LINE_MARKS: readonly LineMark[] = ["missing", "refused", "port", "idle"];

/** The part of a node that folding and layout look at. `status` is the number of `HealthStatus`: bigger is worse. */
export interface InputNode {
  readonly id: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Empty for a root. */
  readonly ownerId: string;
  readonly presence: "present" | "missing" | "hidden";
  readonly status: number;
  /** Old ReplicaSet, finished Job: folded by default. */
  readonly superseded: boolean;
  /** A Secret that a program wrote for itself: several are folded. */
  readonly generated: boolean;
}

/** An edge in the direction it is drawn: owners before children, traffic forward. */
export interface InputEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly style: EdgeStyle;
  /** Row of the catalogue, "svc-pod". */
  readonly kind: string;
  readonly paths: readonly string[];
  /** `flows`: traffic is known to take it; absent where nothing is known of that. */
  readonly mark?: LineMark | "flows";
}

/** Only what is near a node. */
export interface Around {
  /** Empty: it is not there, and nothing is near it. */
  readonly id: string;
  /** Lines away at most. */
  readonly hops: number;
  /** Lines that count: those that are drawn. */
  readonly styles: readonly EdgeStyle[];
}

/** The filter of the user. Empty lists do not filter. */
export interface GraphFilter {
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  /** Numbers of `HealthStatus`. */
  readonly statuses: readonly number[];
  readonly onlyProblems: boolean;
  /** Absent: everything. */
  readonly around?: Around;
}

/** Everything shown. */
export const NO_FILTER: GraphFilter = { namespaces: [], kinds: [], statuses: [], onlyProblems: false };

/** Numbers of `HealthStatus` that the pure code needs; a test holds them equal to the contract. */
export const STATUS = { healthy: 1, missing: 4, degraded: 5 } as const;
