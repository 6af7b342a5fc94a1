import { emptyChange, mergeChange, type GraphChange } from "@binnacle/presentation/graph/graph-change";

/** What changes from its opening on, for a consumer that keeps a copy of the graph. */
export interface ChangeCursor {
  /** What changed since the last call, as one change. */
  take(): GraphChange;
  /** From now on nothing is kept for it. */
  close(): void;
}

/** What each of those who follow a graph has not taken yet. Without an open cursor nothing is kept of what has gone. */
export class ChangeCursors {
  readonly #untaken = new Map<ChangeCursor, GraphChange>();

  open(): ChangeCursor {
    const cursor: ChangeCursor = {
      take: () => {
        const change = this.#untaken.get(cursor) ?? emptyChange();
        if (this.#untaken.has(cursor)) this.#untaken.set(cursor, emptyChange());
        return change;
      },
      close: () => void this.#untaken.delete(cursor),
    };
    this.#untaken.set(cursor, emptyChange());
    return cursor;
  }

  /** For all that are open. */
  add(change: GraphChange): void {
    for (const untaken of this.#untaken.values()) mergeChange(untaken, change);
  }

  /** How many ids are kept. */
  get size(): number {
    return [...this.#untaken.values()].reduce((sum, change) => sum + sizeOf(change), 0);
  }
}

function sizeOf({ nodes, removedNodes, edges, removedEdges }: GraphChange): number {
  return nodes.size + removedNodes.size + edges.size + removedEdges.size;
}
