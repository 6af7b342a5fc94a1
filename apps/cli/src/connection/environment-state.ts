import type { WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { NumberedGraph } from "@binnacle/presentation/view/numbered-graph";
import { reduce, type GraphAction, type StoreInput, type StoreState } from "@binnacle/presentation/view/view-reducer";
import { START, type ViewState } from "@binnacle/presentation/view/view-state";
import type { LiveEdge, LiveNode } from "@binnacle/presentation/graph/live-node";
import { ViewNumbers } from "@binnacle/presentation/graph/view-numbers";
import { millisOf } from "@binnacle/presentation/text/format-time";
import type { Clock } from "@binnacle/rpc";

const EMPTY = { nodes: [], edges: [] };

/** What is known of one environment after each message of its stream, by the reducer of the page. */
export class EnvironmentState {
  readonly #clock: Clock;
  #state: StoreState = { view: START, isForeign: false };
  #shown = new NumberedGraph(EMPTY);
  #pending: NumberedGraph | undefined;
  /** Of the server's clock before ours, in milliseconds. */
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get view(): ViewState {
    return this.#state.view;
  }

  /** The server's time, milliseconds since the epoch. */
  get nowMs(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  /** @returns `false` when the server will send no more */
  apply(message: WatchEnvironmentResponse): boolean {
    if (message.sentAt !== undefined) this.#aheadMs = millisOf(message.sentAt) - this.#clock.now();
    this.#dispatch({ kind: "message", message, nowMs: this.nowMs });
    return this.view.stream.kind !== "ended";
  }

  /** The stream broke and is opened again. */
  lost(reason: string): void {
    this.#dispatch({ kind: "lost", reason, nowMs: this.nowMs });
  }

  /** Nodes and edges by name, as the page has them. */
  graph(): { readonly nodes: ReadonlyMap<string, LiveNode>; readonly edges: ReadonlyMap<string, LiveEdge> } {
    return new ViewNumbers().begin(this.#shown.nodes.values(), this.#shown.edges.values(), () => undefined);
  }

  #dispatch(input: StoreInput): void {
    const { state, graph } = reduce(this.#state, input);
    for (const action of graph) this.#change(action);
    const blank = state.view.version === 0 || (this.#shown.nodes.size === 0 && !state.view.complete);
    this.#state = { ...state, view: { ...state.view, blank } };
  }

  #change(action: GraphAction): void {
    switch (action.kind) {
      case "clear":
        this.#shown = new NumberedGraph(EMPTY);
        this.#pending = undefined;
        return;
      case "replace":
        this.#shown = new NumberedGraph(action.snapshot);
        this.#pending = undefined;
        return;
      case "patch":
        this.#shown.patch(action.delta);
        return;
      case "begin-pending":
        this.#pending = new NumberedGraph(action.snapshot);
        return;
      case "patch-pending":
        this.#pending?.patch(action.delta);
        return;
      case "show-pending":
        this.#shown = this.#pending ?? this.#shown;
        this.#pending = undefined;
        return;
      case "discard-pending":
        this.#pending = undefined;
        return;
      case "forget-departed":
      default:
    }
  }
}
