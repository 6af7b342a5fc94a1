import type { Problem, ResourceRef, WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import type { ChangeCursor } from "./change-cursors.ts";
import type { DepartedNode } from "./departed-nodes.ts";
import { LiveGraph } from "./live-graph.ts";
import { nodeIdOf, type LiveEdge, type LiveNode } from "./live-node.ts";
import { pausedView } from "@binnacle/presentation/view/pause";
import { ShownGraph } from "./shown-graph.ts";
import { Subscribable } from "./subscribable.ts";
import { reduce, type StoreInput, type StoreState } from "@binnacle/presentation/view/view-reducer";
import { START, type Pause, type ViewState } from "@binnacle/presentation/view/view-state";

/** The nodes and edges of one environment for those who show them: `reduce` decides what an input changes, subscribers get what differs. */
export class EnvironmentStore {
  readonly #graph = new LiveGraph();
  readonly #front = new ShownGraph(this.#graph);
  readonly #subscribers = new Subscribable();
  readonly #schedule: (flush: () => void) => void;
  #state: StoreState;
  /** What is shown: during a pause, partly what it was. */
  #shownView: ViewState;
  #viewDirty = false;

  /**
   * @param schedule runs the given flush soon, at least once after every call; a test passes `(flush) => flush()`
   * @param first what is known before the stream says anything
   */
  constructor(schedule: (flush: () => void) => void, first: Partial<ViewState> = {}) {
    this.#schedule = schedule;
    this.#shownView = { ...START, ...first };
    this.#state = { view: this.#shownView, isForeign: false };
  }

  /** The page was sent before all was known of it that is known first; nothing is taken of it after the first message of the stream. */
  begin(first: Partial<ViewState>): void {
    this.#dispatch({ kind: "first", first });
  }

  /** Applies one message of the stream, which came at `nowMs` by the server's clock. `false` when the server will send no more. */
  apply(message: WatchEnvironmentResponse, nowMs: number): boolean {
    this.#dispatch({ kind: "message", message, nowMs });
    return this.#state.view.stream.kind !== "ended";
  }

  /** The stream broke and is tried again. */
  lost(reason: string, nowMs: number): void {
    this.#dispatch({ kind: "lost", reason, nowMs });
  }

  /** The view cannot go on; data stays as it was. */
  end(problem: Problem): void {
    this.#dispatch({ kind: "end", problem });
  }

  /** From now on what is shown of the cluster stays as it is; the stream goes on. */
  pause(pause: Pause): void {
    this.#flush();
    this.#dispatch({ kind: "pause", pause });
  }

  /** What is shown is what it would be by now. */
  resume(): void {
    this.#dispatch({ kind: "resume" });
  }

  node(id: string): LiveNode | undefined {
    return this.#front.nodes.get(id);
  }

  /** The node of a resource; `undefined` when it is not in the view. */
  nodeOf(ref: ResourceRef | undefined): LiveNode | undefined {
    return ref && this.node(nodeIdOf(ref));
  }

  /** The last known state of what this selection named, when it has left. */
  departed(selection: string): DepartedNode | undefined {
    return this.#graph.departed(selection);
  }

  /** The live maps; read only, and only until the next message. */
  get nodes(): ReadonlyMap<string, LiveNode> {
    return this.#front.nodes;
  }

  get edges(): ReadonlyMap<string, LiveEdge> {
    return this.#front.edges;
  }

  /** Stable until something in it changes. */
  readonly view = (): ViewState => this.#shownView;

  /** Number of changes to nodes or edges, counted per flush: a cheap snapshot for subscribers of the whole graph. */
  readonly graphVersion = (): number => this.#front.version;

  /** Follows what changes. Without an open cursor nothing is kept of what has gone. */
  openChanges(): ChangeCursor {
    return this.#front.openChanges();
  }

  /** How many ids are kept for those who follow the changes. */
  get untakenSize(): number {
    return this.#front.untakenSize;
  }

  readonly onView = this.#subscribers.subscribe;

  readonly onGraph = this.#front.onGraph;

  onNode(id: string, listener: () => void): () => void {
    return this.#front.onNode(id, listener);
  }

  #dispatch(input: StoreInput): void {
    const { state, graph } = reduce(this.#state, input);
    const { view, pause } = state;
    for (const action of graph) this.#graph.apply(action, view.lastMessageMs);
    const blank = view.version === 0 || (this.#graph.nodes.size === 0 && !view.complete);
    this.#state = blank === view.blank ? state : { ...state, view: { ...view, blank } };
    if (pause === undefined) this.#front.resume();
    else this.#front.pause();
    this.#showView();
    this.#schedule(() => this.#flush());
  }

  #showView(): void {
    const { view, pause } = this.#state;
    this.#shownView = pause === undefined ? view : pausedView(pause.at, view, { ...pause, waiting: this.#front.waiting });
    this.#viewDirty = true;
  }

  #flush(): void {
    const { change, revoked } = this.#graph.takeChange();
    this.#front.revoke(revoked);
    this.#front.changed(change);
    // How much waits is part of what is shown.
    if (this.#shownView.pause !== undefined && this.#shownView.pause.waiting !== this.#front.waiting) this.#showView();
    if (!this.#viewDirty) return;
    this.#viewDirty = false;
    this.#subscribers.notify();
  }
}
