import type { EdgeStyle, LineMark } from "./graph-input.ts";
import type { FoldReason } from "@binnacle/graph";

/** One box of the picture: a node, or several folded into one. */
export interface Card {
  /** Id of the node, or of the fold. */
  readonly id: string;
  readonly type: "node" | "fold";
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  /** Name of the node; empty for a fold. */
  readonly name: string;
  readonly presence: "present" | "missing" | "hidden";
  /** Number of `HealthStatus`: own, or the worst of a fold. */
  readonly status: number;
  /** Ids of the folded nodes; those below them are in `below`. Empty for a node. */
  readonly members: readonly string[];
  /** How many more nodes lie below the members, and the worst of their statuses. */
  readonly below: number;
  readonly worstBelow: number;
  /** Folded nodes by status, worst first: pairs of status and number. */
  readonly counts: readonly (readonly [number, number])[];
  /** Why the members are folded; absent for a node. */
  readonly fold?: FoldReason | "healthy-branches";
  /** The owner of the members: "ReplicaSet web-7d9"; empty without an owner, and for a node. */
  readonly owner: string;
  /** An old revision or a finished Job, or a fold of such: it leaves the good places to what is live. */
  readonly superseded: boolean;
  /** The open fold that this node came out of; empty otherwise. */
  readonly foldId: string;
  readonly column: number;
  /** Card of the owner; empty for a root. */
  readonly parentId: string;
  /** Cards of one block are laid out together. */
  readonly block: string;
}

/** A line between two cards. */
export interface CardEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly style: EdgeStyle;
  /** How many edges of the graph it stands for. */
  readonly count: number;
  /** Where the references stand, at most five. */
  readonly paths: readonly string[];
  /** The gravest mark of its edges; `idle` where no traffic takes any of them. */
  readonly mark?: LineMark;
  /** Its way between the cards, in units of cards: see `routes.ts`. Empty where an end has no place. */
  readonly route: Route;
}

/** Corners of a line, each as four numbers: column and place across it, row and place below it; pixels are made of them by `wayOf`. */
export type Route = readonly number[];

/** A place in units of cards: lane and column count columns, row counts rows and may have a fraction. */
export interface Slot {
  readonly lane: number;
  readonly column: number;
  readonly row: number;
}
