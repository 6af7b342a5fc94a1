import { ChangeCursors, type ChangeCursor } from "./change-cursors.ts";
import { emptyChange, mergeChange, type GraphChange } from "./graph-change.ts";
import { listen } from "./listen.ts";
import type { LiveEdge, LiveNode } from "./live-node.ts";

interface Graph {
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly edges: ReadonlyMap<string, LiveEdge>;
}

/** A picture that stays as it is, and what has changed since. */
interface Held {
  readonly nodes: Map<string, LiveNode>;
  readonly edges: Map<string, LiveEdge>;
  readonly waiting: GraphChange;
}

/**
 * What of a graph is shown, and who must hear that it is another. While it is held it stays as it is: the graph goes on below, and what
 * changes is merged until it is let go, so that what waits is never more than the two pictures.
 */
export class ShownGraph {
  readonly #live: Graph;
  readonly #nodeListeners = new Map<string, Set<() => void>>();
  readonly #graphListeners = new Set<() => void>();
  readonly #cursors = new ChangeCursors();
  #version = 0;
  #held: Held | undefined;

  /** @param live the maps of the graph, which go on changing */
  constructor(live: Graph) {
    this.#live = live;
  }

  get nodes(): ReadonlyMap<string, LiveNode> {
    return (this.#held ?? this.#live).nodes;
  }

  get edges(): ReadonlyMap<string, LiveEdge> {
    return (this.#held ?? this.#live).edges;
  }

  get version(): number {
    return this.#version;
  }

  /** How many ids are kept for those who follow the changes. */
  get untakenSize(): number {
    return this.#cursors.size;
  }

  /** How many resources have changed, come or gone since it is held; lines, when nothing else has. */
  get waiting(): number {
    if (this.#held === undefined) return 0;
    const { nodes, removedNodes, edges, removedEdges } = this.#held.waiting;
    return nodes.size + removedNodes.size || edges.size + removedEdges.size;
  }

  openChanges(): ChangeCursor {
    return this.#cursors.open();
  }

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

  /** The graph has changed so. */
  changed(change: GraphChange): void {
    if (this.#held === undefined) this.#tell(change);
    else wait(this.#held, change);
  }

  /** From now on it stays as it is now. */
  hold(): void {
    this.#held ??= { nodes: new Map(this.#live.nodes), edges: new Map(this.#live.edges), waiting: emptyChange() };
  }

  /** It is what the graph is again; those who show it hear of all that has waited, as one change. */
  release(): void {
    const waiting = this.#held?.waiting;
    this.#held = undefined;
    if (waiting !== undefined) this.#tell(waiting);
  }

  /** These may not be seen any more: held or not, they go, with their lines. */
  revoke(ids: ReadonlySet<string>): void {
    if (this.#held === undefined || ids.size === 0) return;
    const { nodes, edges } = this.#held;
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
    for (const id of touched) for (const listener of this.#nodeListeners.get(id) ?? []) listener();
    for (const listener of this.#graphListeners) listener();
  }
}

/** What came and went meanwhile leaves nothing behind. */
function wait({ nodes, edges, waiting }: Held, change: GraphChange): void {
  mergeChange(waiting, change);
  for (const id of change.removedNodes) if (!nodes.has(id)) waiting.removedNodes.delete(id);
  for (const id of change.removedEdges) if (!edges.has(id)) waiting.removedEdges.delete(id);
}
