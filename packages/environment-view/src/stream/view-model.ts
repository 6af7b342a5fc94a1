import type { Edge, EnvironmentHealth, Node } from "@binnacle/proto/dashboard";
import type { Words } from "@binnacle/words";

/**
 * The last result of the API server for a kind (docs/design/view.md "Sources and freshness"). Only another result of the API server for
 * the kind changes it: a broken connection and a failed request never do.
 * - `live`: everything there is was read.
 * - `forbidden`: it may not be listed.
 * - `unserved`: the cluster does not serve it any more.
 * - `truncated`: only a part is shown.
 * - `error`: it has answered with errors and never with anything else.
 */
export type SettledState = "live" | "forbidden" | "unserved" | "truncated" | "error";

/** Why nothing has vouched for the settled state since a moment; it is none less true until something else is known. */
export interface ViewStaleness {
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  /** `way`: the connection; `error`: the API server fails; `sampled`: the kind is looked at now and then. */
  readonly cause: "way" | "error" | "sampled";
  /** How often a kind without a watch is listed; absent when it is not, also for a kind of which there is none. */
  readonly everyMs?: number;
  /** Why, for people. */
  readonly words: Words;
}

/** One kind in scope and how well it is seen. */
export interface ViewSource {
  /** "group/resource/namespace". */
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace: string;
  /** Absent: nothing is known yet, the kind is loading. */
  readonly settled?: SettledState;
  /** Absent: what is settled is current. */
  readonly stale?: ViewStaleness;
  /** When it was settled. Milliseconds since the epoch. */
  readonly asOfMs?: number;
  readonly shown: number;
  /** Objects that exist, when truncated; else 0. */
  readonly total: number;
  /** Why it is not whole, for people; absent when there is nothing to say. */
  readonly words?: Words;
  readonly retryAtMs?: number;
  readonly countsForHealth: boolean;
}

/**
 * How the view is connected to the cluster.
 * - `connecting`: there was no answer yet.
 * - `connected`: the API server answers.
 * - `reconnecting`: it did a moment ago; what is away is not known yet.
 * - `agent_offline`: kas answers, the agent does not.
 * - `kas_unreachable`: kas does not answer, so nothing is known of the agent.
 * - `api_down`: the agent is there, the API server behind it does not answer.
 */
export interface ViewConnection {
  readonly state: "connecting" | "connected" | "reconnecting" | "agent_offline" | "kas_unreachable" | "api_down";
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  /** What was heard last of the way, for people; absent while there is nothing to say. */
  readonly words?: Words;
}

/** How far a subscriber has come in a view; good to take up from there. */
export interface ViewPosition {
  /** `id` of the view. */
  readonly view: string;
  /** `version` of the last message that was taken. */
  readonly version: number;
}

/** Nodes and edges as fields of a message, `nodes` and `edges` of a Snapshot or `upserted_nodes` and `upserted_edges` of a Delta. */
export interface SentFields {
  /** All of them in a row, encoded when first read. */
  readonly bytes: Uint8Array;
}

/** Everything, once. */
export interface ViewSnapshot {
  readonly kind: "snapshot";
  readonly version: number;
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** Nodes and edges as they are sent: the same bytes for all. */
  readonly content: SentFields;
  readonly health: EnvironmentHealth;
  readonly sources: readonly ViewSource[];
  readonly connection: ViewConnection;
  /** Every source has answered once, or has been waited for long enough: `settled` says of which one nothing is known yet. */
  readonly complete: boolean;
  /** There is nothing, as far as can be known: the view is complete, shows no node, and every kind could be read. */
  readonly isEmpty: boolean;
}

/** What changed since the last message; an absent field has not changed. */
export interface ViewDelta {
  readonly kind: "delta";
  readonly version: number;
  readonly upsertedNodes: readonly Node[];
  readonly upsertedEdges: readonly Edge[];
  /** Both of them as they are sent. */
  readonly content: SentFields;
  /** Numbers of those that left, also of some that came and left again. */
  readonly removedNodes: readonly number[];
  readonly removedEdges: readonly number[];
  readonly upsertedSources: readonly ViewSource[];
  readonly removedSources: readonly string[];
  readonly health?: EnvironmentHealth;
  readonly connection?: ViewConnection;
  readonly complete?: boolean;
  /** As of a snapshot; always there. */
  readonly isEmpty: boolean;
}

/** One message to a subscriber. */
export type ViewMessage = ViewSnapshot | ViewDelta;

/** What a message changes in a copy of the view: with a reset, everything that was there before is gone. */
export interface ViewChange
  extends Pick<ViewSnapshot, "nodes" | "edges" | "sources">, Pick<ViewDelta, "removedNodes" | "removedEdges" | "removedSources"> {
  readonly reset: boolean;
}

/** Snapshots and deltas in one form. */
export function changeOf(message: ViewMessage): ViewChange {
  if (message.kind === "delta") {
    const { upsertedNodes: nodes, upsertedEdges: edges, upsertedSources: sources } = message;
    const { removedNodes, removedEdges, removedSources } = message;
    return { reset: false, nodes, edges, sources, removedNodes, removedEdges, removedSources };
  }
  const { nodes, edges, sources } = message;
  return { reset: true, nodes, edges, sources, removedNodes: [], removedEdges: [], removedSources: [] };
}
