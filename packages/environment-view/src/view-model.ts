/** Status of a resource or an environment; `undefined` elsewhere means "no opinion". */
export type ViewHealthStatus = "Healthy" | "Suspended" | "Progressing" | "Missing" | "Degraded" | "Unknown";

/** Names a resource the way URLs do. */
export interface ViewRef {
  readonly group: string;
  /** Empty when the kind is not served. */
  readonly version: string;
  readonly kind: string;
  /** Plural name; empty when the kind is not served. */
  readonly resource: string;
  /** Empty for cluster scope. */
  readonly namespace: string;
  readonly name: string;
}

/** One link of a why-chain. */
export interface ViewWhyLink {
  readonly level: "resource" | "container" | "event" | "reference";
  /** Empty when it is not a node of the view. */
  readonly nodeId: string;
  /** Of a container its pod, of an event what it is about. */
  readonly ref: ViewRef;
  /** Empty but for a container. */
  readonly container: string;
  readonly status: ViewHealthStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339. */
  readonly since?: string;
}

/** The last change before something went bad. */
export interface ViewChange {
  readonly what: "rollout" | "config" | "node" | "scaling";
  /** Empty when it is not a node of the view. */
  readonly nodeId: string;
  readonly ref: ViewRef;
  /** RFC 3339. */
  readonly at: string;
  readonly message: string;
}

/** Why something is not well: from the resource down to the root reason. */
export interface ViewWhy {
  readonly chain: readonly ViewWhyLink[];
  readonly reason: string;
  readonly message: string;
  readonly nextStep: string;
  /** RFC 3339. */
  readonly firstBadAt?: string;
  readonly precededBy?: ViewChange;
}

/** Something worth knowing that does not change the status. */
export interface ViewNotice {
  readonly reason: string;
  readonly message: string;
  readonly nextStep: string;
}

/** Who applied a resource. */
export interface ViewManagedBy {
  readonly tool: string;
  readonly name: string;
  /** Applied by the tool itself; otherwise generated from a resource that is. */
  readonly direct: boolean;
}

/** One reason that a status is what it is. */
export interface ViewCause {
  /** Empty when the culprit is not a node of the view. */
  readonly nodeId: string;
  readonly ref: ViewRef;
  readonly status: ViewHealthStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339. */
  readonly since?: string;
  /** Only in causes of the environment. */
  readonly why?: ViewWhy;
}

/** Health of one resource. */
export interface ViewHealth {
  readonly status: ViewHealthStatus;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339. */
  readonly since?: string;
  /** Progressing for longer than is usual. */
  readonly stale: boolean;
  /** Nearest first. */
  readonly causes: readonly ViewCause[];
  /** Absent when it is well. */
  readonly why?: ViewWhy;
  /** Rule of the user that decided; empty for a built-in one. */
  readonly rule: string;
}

/** One node of the graph. */
export interface ViewNode {
  /** The uid, or group/kind/namespace/name of an object that was not seen. */
  readonly id: string;
  readonly ref: ViewRef;
  readonly presence: "present" | "missing" | "not_visible";
  readonly health?: ViewHealth;
  /** Worst status below it in the ownership tree. */
  readonly worstBelow?: ViewHealthStatus;
  readonly fact: string;
  /** Empty for a root. */
  readonly ownerId: string;
  /** Replicas ready and wanted; -1 when the kind has none. */
  readonly ready: number;
  readonly wanted: number;
  /** RFC 3339. */
  readonly createdAt?: string;
  readonly deletingSince?: string;
  /** Empty when it exposes none. */
  readonly externalUrl: string;
  /** Folded by default: an old ReplicaSet, a finished Job. */
  readonly superseded: boolean;
  readonly restarts: number;
  readonly images: readonly string[];
  /** A Secret that a program wrote for itself. */
  readonly generated: boolean;
  readonly notices: readonly ViewNotice[];
  readonly managedBy?: ViewManagedBy;
}

/** One edge; `from` holds the reference. */
export interface ViewEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly edgeClass: string;
  readonly fieldPaths: readonly string[];
  readonly optional: boolean;
  readonly missing: boolean;
  readonly flowReversed: boolean;
  /** No ReferenceGrant allows it. */
  readonly refused: boolean;
}

/** Health of the environment. */
export interface ViewEnvironmentHealth {
  /** Absent when nothing in the view has an opinion. */
  readonly status?: ViewHealthStatus;
  readonly partial: boolean;
  readonly reason: string;
  readonly message: string;
  readonly counts: Readonly<Partial<Record<ViewHealthStatus, number>>>;
  readonly causes: readonly ViewCause[];
  /** Kinds that are not readable, "secrets" or "widgets.example.com". */
  readonly hidden: readonly string[];
}

/** State of one source (docs/design/view.md "Sources and freshness"). */
export type SourceStateName = "loading" | "live" | "stale" | "forbidden" | "unserved" | "truncated" | "error";

/** One kind in scope and how well it is seen. */
export interface ViewSource {
  /** "group/resource/namespace". */
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace: string;
  readonly state: SourceStateName;
  /** Milliseconds since the epoch. */
  readonly asOfMs?: number;
  readonly shown: number;
  /** Objects that exist, when truncated; else 0. */
  readonly total: number;
  readonly message: string;
  readonly retryAtMs?: number;
  readonly countsForHealth: boolean;
}

/** How the view is connected to the cluster. */
export interface ViewConnection {
  readonly state: "connecting" | "connected" | "reconnecting" | "agent_offline";
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly message: string;
}

/** Everything, once. */
export interface ViewSnapshot {
  readonly kind: "snapshot";
  readonly nodes: readonly ViewNode[];
  readonly edges: readonly ViewEdge[];
  readonly health: ViewEnvironmentHealth;
  readonly sources: readonly ViewSource[];
  readonly connection: ViewConnection;
  /** Every source has answered once: an empty graph now means that there is nothing. */
  readonly complete: boolean;
}

/** What changed since the last message; an absent field has not changed. */
export interface ViewDelta {
  readonly kind: "delta";
  readonly upsertedNodes: readonly ViewNode[];
  readonly removedNodes: readonly string[];
  readonly upsertedEdges: readonly ViewEdge[];
  readonly removedEdges: readonly string[];
  readonly upsertedSources: readonly ViewSource[];
  readonly removedSources: readonly string[];
  readonly health?: ViewEnvironmentHealth;
  readonly connection?: ViewConnection;
  readonly complete?: boolean;
}

/** One message to a subscriber. */
export type ViewMessage = ViewSnapshot | ViewDelta;
