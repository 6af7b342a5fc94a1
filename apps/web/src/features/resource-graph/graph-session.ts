import type { EnvironmentStore } from "../live/environment-store.ts";
import { inputEdgeOf, inputNodeOf, sameInput, styleOf } from "./graph-input-of.ts";
import type { CardEdge } from "./layout/card.ts";
import type { EngineAnswer, EngineRequest, PlacedCard } from "./layout/graph-engine.ts";
import { NO_FILTER, type EdgeStyle, type GraphFilter, type InputNode } from "./layout/graph-input.ts";

/** The picture as of the last answer of the layout. Replaced as a whole; the maps inside are not copied. */
export interface Picture {
  readonly cards: ReadonlyMap<string, PlacedCard>;
  readonly edges: ReadonlyMap<string, CardEdge>;
  readonly lanes: number;
  readonly total: number;
  readonly hidden: number;
  /** Edges of the graph by style, folded ones too. */
  readonly edgeCounts: Readonly<Record<EdgeStyle, number>>;
  readonly open: readonly string[];
  /** Raised by every answer; 0 before the first. */
  readonly version: number;
  /** Raised when everything was laid out anew. */
  readonly layoutVersion: number;
}

const NO_COUNTS = { owns: 0, routes: 0, uses: 0, binds: 0, governs: 0, dangling: 0 };

/** What answers requests: the worker, or in a test the engine itself. */
export interface LayoutPort {
  send(request: EngineRequest, answer: (answer: EngineAnswer) => void): void;
  close(): void;
}

/** Feeds the layout with the changes of a store and holds its answers. One request is under way at a time; what comes meanwhile is merged. */
export class GraphSession {
  readonly #store: EnvironmentStore;
  readonly #port: LayoutPort;
  readonly #sent = new Map<string, InputNode>();
  readonly #styles = new Map<string, EdgeStyle>();
  readonly #cards = new Map<string, PlacedCard>();
  readonly #edges = new Map<string, CardEdge>();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  #picture: Picture;
  #wanted: Pick<EngineRequest, "open" | "filter" | "tidy"> = {};
  #busy = false;
  #settled = false;
  #filter = JSON.stringify(NO_FILTER);
  #first = true;

  constructor(store: EnvironmentStore, port: LayoutPort) {
    this.#store = store;
    this.#port = port;
    const start = { lanes: 1, total: 0, hidden: 0, edgeCounts: NO_COUNTS, open: [], version: 0, layoutVersion: 0 };
    this.#picture = { cards: this.#cards, edges: this.#edges, ...start };
    store.takeChange();
    this.#stop = store.onGraph(() => this.#pump());
    this.#pump();
  }

  readonly picture = (): Picture => this.#picture;

  readonly onPicture = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Opens the fold, or closes it when it is open. */
  toggleFold(id: string): void {
    const open = this.#wanted.open ?? this.#picture.open;
    this.setOpen(open.includes(id) ? open.filter((each) => each !== id) : [...open, id]);
  }

  setOpen(open: readonly string[]): void {
    this.#wanted = { ...this.#wanted, open };
    this.#picture = { ...this.#picture, open };
    this.#pump();
  }

  setFilter(filter: GraphFilter): void {
    const text = JSON.stringify(filter);
    if (text === this.#filter) return;
    this.#filter = text;
    this.#wanted = { ...this.#wanted, filter };
    this.#pump();
  }

  tidy(): void {
    this.#wanted = { ...this.#wanted, tidy: true };
    this.#pump();
  }

  close(): void {
    this.#stop();
    this.#port.close();
  }

  #pump(): void {
    if (this.#busy) return;
    const request = this.#collect();
    if (request === undefined) return;
    this.#busy = true;
    this.#port.send(request, (answer) => {
      this.#busy = false;
      this.#take(answer, request);
      this.#pump();
    });
  }

  #collect(): EngineRequest | undefined {
    const wanted = this.#wanted;
    this.#wanted = {};
    const nodes: InputNode[] = [];
    const edges = [];
    const removedNodes: string[] = [];
    const removedEdges: string[] = [];
    const change = this.#first
      ? { nodes: this.#store.nodes, edges: this.#store.edges, removedNodes: [], removedEdges: [] }
      : this.#store.takeChange();
    for (const id of change.removedNodes) if (this.#sent.delete(id)) removedNodes.push(id);
    for (const node of change.nodes.values()) {
      const input = inputNodeOf(node);
      if (sameInput(this.#sent.get(input.id), input)) continue;
      this.#sent.set(input.id, input);
      nodes.push(input);
    }
    for (const id of change.removedEdges) if (this.#styles.delete(id)) removedEdges.push(id);
    for (const edge of change.edges.values()) {
      this.#styles.set(edge.id, styleOf(edge));
      edges.push(inputEdgeOf(edge, this.#store.node(edge.to)));
    }
    const changes = nodes.length + edges.length + removedNodes.length + removedEdges.length;
    if (changes === 0 && Object.keys(wanted).length === 0) return undefined;
    // Until every kind has answered once the picture is still being put together; afterwards nothing moves by itself.
    const tidy = wanted.tidy === true || this.#first || !this.#settled;
    this.#settled = this.#store.view().complete;
    this.#first = false;
    return { nodes, edges, removedNodes, removedEdges, ...wanted, tidy };
  }

  #take(answer: EngineAnswer, request: EngineRequest): void {
    for (const id of answer.removedCards) this.#cards.delete(id);
    for (const placed of answer.cards) this.#cards.set(placed.card.id, placed);
    for (const id of answer.removedEdges) this.#edges.delete(id);
    for (const edge of answer.edges) this.#edges.set(edge.id, edge);
    const edgeCounts = { ...NO_COUNTS };
    for (const style of this.#styles.values()) edgeCounts[style] += 1;
    const fresh = request.tidy === true || request.open !== undefined || request.filter !== undefined;
    this.#picture = {
      cards: this.#cards,
      edges: this.#edges,
      lanes: answer.lanes,
      total: answer.total,
      hidden: answer.hidden,
      edgeCounts,
      open: this.#picture.open,
      version: this.#picture.version + 1,
      layoutVersion: this.#picture.layoutVersion + (fresh ? 1 : 0),
    };
    for (const listener of this.#listeners) listener();
  }
}

/** The layout in its own thread. */
export function createWorkerPort(): LayoutPort {
  const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, (answer: EngineAnswer) => void>();
  let seq = 0;
  worker.addEventListener("message", (event: MessageEvent<{ readonly seq: number; readonly answer: EngineAnswer }>) => {
    const answer = waiting.get(event.data.seq);
    waiting.delete(event.data.seq);
    answer?.(event.data.answer);
  });
  return {
    send(request, answer) {
      seq += 1;
      waiting.set(seq, answer);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ seq, request });
    },
    close: () => worker.terminate(),
  };
}
