import type { FoldReason } from "./fold-reason.ts";
import type { FoldStatus, StatusCount } from "./fold-status.ts";
import type { Forest, ForestNode } from "./forest.ts";
import type { SecretNode } from "./generated-secret.ts";

/** The part of a node that folding looks at. */
export interface FoldNode extends ForestNode, SecretNode {
  /** API group, empty for core. */
  readonly group: string;
  /** Empty for cluster scope. */
  readonly namespace: string;
  /** Only what is present is folded: what is missing or may not be seen is always shown by itself. */
  readonly presence: "present" | "missing" | "not-visible" | "hidden";
  readonly status: FoldStatus;
  /** An old ReplicaSet, a finished Job. */
  readonly superseded?: boolean;
}

/** Nodes that are shown as one. */
export interface FoldGroup<N extends FoldNode> {
  /** Stable: says why, of whom and which kind, never how many. */
  readonly id: string;
  readonly reason: FoldReason;
  /** API group and kind of all members. */
  readonly group: string;
  readonly kind: string;
  /** Namespace of all members; empty when they differ. */
  readonly namespace: string;
  /** Owner of all members; empty for roots, and when they differ. */
  readonly ownerId: string;
  /** By name, then id; never empty. */
  readonly members: readonly N[];
  /** What lies below the members and is folded with them; parents first. */
  readonly below: readonly N[];
  /** Members by status, worst first. */
  readonly counts: readonly StatusCount<N["status"]>[];
  /** What lies below by status, worst first; empty when nothing does. */
  readonly belowCounts: readonly StatusCount<N["status"]>[];
  /** Worst status of the members: a failing one is never hidden silently. */
  readonly worst: N["status"];
}

/** Nodes after folding. Every node is in exactly one place: alone, a member of a group, or below one. */
export interface Folding<N extends FoldNode> {
  /** By id. */
  readonly groups: readonly FoldGroup<N>[];
  /** Nodes that are shown by themselves, in the order in which they were given. */
  readonly alone: readonly N[];
  /** Node → group that shows it; only of those that are folded. */
  readonly groupOf: ReadonlyMap<string, string>;
  /** Node → open group that it came out of. */
  readonly openGroupOf: ReadonlyMap<string, string>;
  readonly forest: Forest<N>;
}
