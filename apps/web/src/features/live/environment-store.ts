import type {
  ConfigurationError,
  Connection,
  Delta,
  Edge,
  Environment,
  EnvironmentHealth,
  Node,
  Problem,
  Snapshot,
  Source,
  Viewer,
  WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";
import { changeBetween, emptyChange, mergeChange, type GraphChange } from "./graph-change.ts";

/** How the stream itself fares; the cluster's side is `Connection`. */
type StreamState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "lost"; readonly reason: string; readonly sinceMs: number }
  | { readonly kind: "ended" };

/** Everything of a view but its nodes and edges. Replaced as a whole when anything in it changes. */
export interface ViewState {
  readonly environment?: Environment | undefined;
  readonly viewer?: Viewer | undefined;
  readonly health?: EnvironmentHealth | undefined;
  readonly connection?: Connection | undefined;
  readonly configurationError?: ConfigurationError | undefined;
  readonly sources: readonly Source[];
  /** Every source has answered once. */
  readonly complete: boolean;
  /** Blueprint message of an empty view. */
  readonly empty?: Problem | undefined;
  /** Why the view cannot be shown, or only as it was. */
  readonly problem?: Problem | undefined;
  readonly stream: StreamState;
  /** When the last message came, milliseconds since the epoch; 0 before the first. */
  readonly lastMessageMs: number;
  /** Raised by every applied snapshot or delta. */
  readonly version: number;
  /** When the server sent the last message, milliseconds since the epoch. */
  readonly sentAtMs: number;
}

const START: ViewState = { sources: [], complete: false, stream: { kind: "connecting" }, lastMessageMs: 0, version: 0, sentAtMs: 0 };

/** Holds the nodes and edges of one environment, and tells apart who must hear of a change. */
export class EnvironmentStore {
  readonly #nodes = new Map<string, Node>();
  readonly #edges = new Map<string, Edge>();
  readonly #sources = new Map<string, Source>();
  readonly #nodeListeners = new Map<string, Set<() => void>>();
  readonly #viewListeners = new Set<() => void>();
  readonly #graphListeners = new Set<() => void>();
  readonly #deleted = new Map<string, Node>();
  readonly #deletedAt = new Map<string, number>();
  #view: ViewState = START;
  #changed: GraphChange = emptyChange();
  #taken: GraphChange = emptyChange();
  #graphVersion = 0;
  #viewDirty = false;
  readonly #schedule: (flush: () => void) => void;

  /** @param schedule runs the given flush soon, at least once after every call; a test passes `(flush) => flush()` */
  constructor(schedule: (flush: () => void) => void) {
    this.#schedule = schedule;
  }

  /** Applies one message of the stream. `false` when the server will send no more. */
  apply(message: WatchEnvironmentResponse, nowMs: number): boolean {
    const content = message.message;
    let next: Partial<ViewState> = {};
    if (content.case === "snapshot") next = this.#replace(content.value);
    else if (content.case === "delta") next = this.#patch(content.value, nowMs);
    else if (content.case === "problem") next = { problem: content.value };
    const counts = content.case === "snapshot" || content.case === "delta" ? 1 : 0;
    const ended = content.case === "problem" && content.value.kind !== ProblemKind.UNAVAILABLE;
    const stream = { kind: ended ? "ended" : "open" } as const;
    const sentAtMs = message.sentAt === undefined ? nowMs : millisOf(message.sentAt);
    this.#setView({ ...next, stream, lastMessageMs: nowMs, sentAtMs, version: this.#view.version + counts });
    return !ended;
  }

  /** The stream broke and is tried again. */
  lost(reason: string, nowMs: number): void {
    const sinceMs = this.#view.stream.kind === "lost" ? this.#view.stream.sinceMs : nowMs;
    this.#setView({ stream: { kind: "lost", reason, sinceMs } });
  }

  /** The view cannot go on; data stays as it was. */
  end(problem: Problem): void {
    this.#setView({ problem, stream: { kind: "ended" } });
  }

  node(id: string): Node | undefined {
    return this.#nodes.get(id);
  }

  /** The last known state of a node that left, and when it left. */
  departed(id: string): { readonly node: Node; readonly atMs: number } | undefined {
    const node = this.#deleted.get(id);
    return node === undefined ? undefined : { node, atMs: this.#deletedAt.get(id) ?? 0 };
  }

  /** The live maps; read only, and only until the next message. */
  get nodes(): ReadonlyMap<string, Node> {
    return this.#nodes;
  }

  get edges(): ReadonlyMap<string, Edge> {
    return this.#edges;
  }

  /** Stable until something in it changes. */
  readonly view = (): ViewState => this.#view;

  /** Number of changes to nodes or edges, counted per flush: a cheap snapshot for subscribers of the whole graph. */
  readonly graphVersion = (): number => this.#graphVersion;

  /** What changed since the last call; for the one consumer that keeps a copy. */
  takeChange(): GraphChange {
    const change = this.#taken;
    this.#taken = emptyChange();
    return change;
  }

  readonly onView = (listener: () => void): (() => void) => listen(this.#viewListeners, listener);

  readonly onGraph = (listener: () => void): (() => void) => listen(this.#graphListeners, listener);

  onNode(id: string, listener: () => void): () => void {
    const listeners = this.#nodeListeners.get(id) ?? new Set();
    this.#nodeListeners.set(id, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#nodeListeners.delete(id);
    };
  }

  #setView(change: Partial<ViewState>): void {
    this.#view = { ...this.#view, ...change };
    this.#viewDirty = true;
    this.#schedule(() => this.#flush());
  }

  #replace(snapshot: Snapshot): Partial<ViewState> {
    const change = changeBetween({ nodes: this.#nodes, edges: this.#edges }, snapshot);
    this.#apply(change, Date.now());
    this.#sources.clear();
    for (const source of snapshot.sources) this.#sources.set(sourceKey(source), source);
    return {
      environment: snapshot.environment,
      viewer: snapshot.viewer,
      health: snapshot.health,
      connection: snapshot.connection,
      configurationError: snapshot.configurationError,
      complete: snapshot.complete,
      empty: snapshot.empty,
      sources: [...this.#sources.values()],
      problem: undefined,
    };
  }

  #patch(delta: Delta, nowMs: number): Partial<ViewState> {
    const change: GraphChange = {
      nodes: new Map(delta.upsertedNodes.map((node) => [node.id, node])),
      removedNodes: new Set(delta.removedNodes),
      edges: new Map(delta.upsertedEdges.map((edge) => [edge.id, edge])),
      removedEdges: new Set(delta.removedEdges),
    };
    this.#apply(change, nowMs);
    const sourcesChanged = delta.upsertedSources.length + delta.removedSources.length > 0;
    for (const key of delta.removedSources) this.#sources.delete(key);
    for (const source of delta.upsertedSources) this.#sources.set(sourceKey(source), source);
    const complete = this.#view.complete || delta.complete;
    return {
      problem: undefined,
      complete,
      ...(delta.health === undefined ? {} : { health: delta.health }),
      ...(delta.connection === undefined ? {} : { connection: delta.connection }),
      ...(delta.configurationError === undefined ? {} : { configurationError: delta.configurationError }),
      ...(delta.configurationErrorCleared ? { configurationError: undefined } : {}),
      ...(sourcesChanged ? { sources: [...this.#sources.values()] } : {}),
      empty: delta.empty ?? (this.#nodes.size > 0 ? undefined : this.#view.empty),
    };
  }

  #apply(change: GraphChange, nowMs: number): void {
    for (const id of change.removedNodes) {
      const node = this.#nodes.get(id);
      if (node === undefined) continue;
      this.#nodes.delete(id);
      this.#rememberDeparted(node, nowMs);
    }
    for (const [id, node] of change.nodes) {
      this.#nodes.set(id, node);
      this.#deleted.delete(id);
    }
    for (const id of change.removedEdges) this.#edges.delete(id);
    for (const [id, edge] of change.edges) this.#edges.set(id, edge);
    this.#changed = mergeChange(this.#changed, change);
  }

  /** Bounded: the drawer needs the one that was open; a thousand are enough for any pace of deletion. */
  #rememberDeparted(node: Node, nowMs: number): void {
    this.#deleted.set(node.id, node);
    this.#deletedAt.set(node.id, nowMs);
    if (this.#deleted.size <= 1000) return;
    const oldest = this.#deleted.keys().next().value;
    if (oldest === undefined) return;
    this.#deleted.delete(oldest);
    this.#deletedAt.delete(oldest);
  }

  #flush(): void {
    const change = this.#changed;
    this.#changed = emptyChange();
    const touched = [...change.nodes.keys(), ...change.removedNodes];
    if (touched.length + change.edges.size + change.removedEdges.size > 0) {
      this.#taken = mergeChange(this.#taken, change);
      this.#graphVersion += 1;
      for (const id of touched) for (const listener of this.#nodeListeners.get(id) ?? []) listener();
      for (const listener of this.#graphListeners) listener();
    }
    if (!this.#viewDirty) return;
    this.#viewDirty = false;
    for (const listener of this.#viewListeners) listener();
  }
}

/** `group/resource/namespace`, as the server names sources that left. */
function sourceKey(source: Pick<Source, "group" | "resource" | "namespace">): string {
  return `${source.group}/${source.resource}/${source.namespace}`;
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
