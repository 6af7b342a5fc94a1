import { ChangeCursors, type ChangeCursor } from "./change-cursors.ts";
import { emptyChange, mergeChange, type GraphChange } from "@binnacle/presentation/graph/graph-change";
import type { LiveEdge, LiveNode } from "./live-node.ts";
import { Subscribable } from "./subscribable.ts";

interface Graph {
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly edges: ReadonlyMap<string, LiveEdge>;
}

/** A graph that stays as it is, and what has changed since. */
interface Paused {
  readonly nodes: Map<string, LiveNode>;
  readonly edges: Map<string, LiveEdge>;
  readonly waiting: GraphChange;
}

/**
 * What of a graph is shown, and who must hear that it is another. While it is paused it stays as it is: the graph goes on below, and
 * what changes is merged until it is resumed, so that what waits is never more than the two graphs.
 */
export class ShownGraph {
  readonly #live: Graph;
  readonly #nodeListeners = new Map<string, Subscribable>();
  readonly #graphListeners = new Subscribable();
  readonly #cursors = new ChangeCursors();
  #version = 0;
  #paused: Paused | undefined;

  /** @param live the maps of the graph, which go on changing */
  constructor(live: Graph) {
    this.#live = live;
  }

  get nodes(): ReadonlyMap<string, LiveNode> {
    return (this.#paused ?? this.#live).nodes;
  }

  get edges(): ReadonlyMap<string, LiveEdge> {
    return (this.#paused ?? this.#live).edges;
  }

  get version(): number {
    return this.#version;
  }

  /** How many ids are kept for those who follow the changes. */
  get untakenSize(): number {
    return this.#cursors.size;
  }

  /** How many resources have changed, come or gone since it is paused; lines, when nothing else has. */
  get waiting(): number {
    if (this.#paused === undefined) return 0;
    const { nodes, removedNodes, edges, removedEdges } = this.#paused.waiting;
    return nodes.size + removedNodes.size || edges.size + removedEdges.size;
  }

  openChanges(): ChangeCursor {
    return this.#cursors.open();
  }

  readonly onGraph = this.#graphListeners.subscribe;

  onNode(id: string, listener: () => void): () => void {
    const listeners = this.#nodeListeners.get(id) ?? new Subscribable();
    this.#nodeListeners.set(id, listeners);
    const end = listeners.subscribe(listener);
    return () => {
      end();
      if (!listeners.isFollowed) this.#nodeListeners.delete(id);
    };
  }

  /** The graph has changed so. */
  changed(change: GraphChange): void {
    if (this.#paused === undefined) this.#tell(change);
    else wait(this.#paused, change);
  }

  /** From now on it stays as it is now. */
  pause(): void {
    this.#paused ??= { nodes: new Map(this.#live.nodes), edges: new Map(this.#live.edges), waiting: emptyChange() };
  }

  /** It is what the graph is again; those who show it hear of all that has waited, as one change. */
  resume(): void {
    const waiting = this.#paused?.waiting;
    this.#paused = undefined;
    if (waiting !== undefined) this.#tell(waiting);
  }

  /** These may not be seen any more: paused or not, they go, with their lines. */
  revoke(ids: ReadonlySet<string>): void {
    if (this.#paused === undefined || ids.size === 0) return;
    const { nodes, edges } = this.#paused;
    const change = { ...emptyChange(), removedNodes: new Set(ids) };
    for (const id of ids) nodes.delete(id);
    for (const { id, from, to } of edges.values()) if (ids.has(from) || ids.has(to)) change.removedEdges.add(id);
    for (const id of change.removedEdges) edges.delete(id);
    this.#tell(change);
  }

  #tell(change: GraphChange): void {
    const touched = [...change.nodes.keys(), ...change.removedNodes];
    if (touched.length + change.edges.size + change.removedEdges.size === 0) return;
    this.#cursors.add(change);
    this.#version += 1;
    for (const id of touched) this.#nodeListeners.get(id)?.notify();
    this.#graphListeners.notify();
  }
}

/** What came and went meanwhile leaves nothing behind. */
function wait({ nodes, edges, waiting }: Paused, change: GraphChange): void {
  mergeChange(waiting, change);
  for (const id of change.removedNodes) if (!nodes.has(id)) waiting.removedNodes.delete(id);
  for (const id of change.removedEdges) if (!edges.has(id)) waiting.removedEdges.delete(id);
}
