import type { Clock } from "@binnacle/rpc";
import { browserClock } from "../../live/browser-clock.ts";
import type { ChangeCursor } from "../../live/change-cursors.ts";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import type { CardEdge, Slot } from "@binnacle/presentation/layout/card";
import type { EngineAnswer, EngineRequest, PlacedCard } from "@binnacle/presentation/layout/graph-engine";
import { NO_FILTER, type GraphFilter, type EdgeStyle, type InputNode } from "@binnacle/presentation/layout/graph-input";
import { USUAL_ROOM, type Room } from "@binnacle/presentation/layout/lanes";
import type { OpenLayout } from "./layout-port.ts";
import { LayoutRunner, type LayoutState } from "./layout-runner.ts";
import { NO_PICTURE, type Picture, NO_COUNTS } from "./picture.ts";
import type { LiveEdge, LiveNode } from "../../live/live-node.ts";
import { inputEdgeOf, inputNodeOf, sameInput, styleOf } from "@binnacle/presentation/layout/graph-input-of";

interface SessionOptions {
  readonly clock?: Clock;
  readonly folds?: readonly string[];
  readonly room?: Room;
}

/** Feeds the layout with the changes of a store and holds its answers. One request is under way at a time; what comes meanwhile is merged. A replaced layout gets everything anew. */
export class GraphSession {
  readonly #store: EnvironmentStore;
  readonly #runner: LayoutRunner;
  readonly #sent = new SentGraph();
  readonly #drawn = new DrawnParts();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  #changes: ChangeCursor | undefined;
  #picture: Picture;
  #wanted: Pick<EngineRequest, "open" | "filter" | "tidy" | "wanted"> = {};
  #lookedAt = "";
  #room: Room;
  #arriving: readonly string[] = [];
  #busy = false;
  #settled = false;
  #filter = NO_FILTER;
  #first = true;
  #openedBy: "person" | "page" = "page";

  /** @param options `folds` are open from the beginning */
  constructor(store: EnvironmentStore, open: OpenLayout, { clock = browserClock, folds = [], room = USUAL_ROOM }: SessionOptions = {}) {
    this.#store = store;
    this.#room = room;
    this.#picture = { ...NO_PICTURE, cards: this.#drawn.cards, edges: this.#drawn.edges, open: folds };
    this.#runner = new LayoutRunner({ open, clock, changed: (state) => this.#layoutIs(state) });
    this.#stop = store.onGraph(() => this.#pump());
    this.#runner.start();
  }

  readonly picture = (): Picture => this.#picture;

  readonly onPicture = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whose doing the open folds are. */
  get openedBy(): "person" | "page" {
    return this.#openedBy;
  }

  /** A person opens the fold, or closes it when it is open. */
  toggleFold(id: string): void {
    const open = this.#wanted.open ?? this.#picture.open;
    this.setOpen(open.includes(id) ? open.filter((each) => each !== id) : [...open, id], "person");
  }

  setOpen(open: readonly string[], by: "person" | "page" = "page"): void {
    this.#openedBy = by;
    this.#wanted = { ...this.#wanted, open };
    this.#picture = { ...this.#picture, open };
    this.#pump();
  }

  setFilter(filter: GraphFilter): void {
    if (JSON.stringify(filter) === JSON.stringify(this.#filter)) return;
    this.#filter = filter;
    this.#wanted = { ...this.#wanted, filter };
    this.#pump();
  }

  /** Shows the branch of this node, without the rest of a fold that holds it; nothing for the empty text. */
  lookAt(nodeId: string): void {
    if (nodeId === this.#lookedAt) return;
    this.#lookedAt = nodeId;
    this.#wanted = { ...this.#wanted, wanted: nodeId === "" ? [] : [nodeId] };
    this.#pump();
  }

  /** What the next tidy layout is to fit into; now nothing moves. */
  setRoom(room: Room): void {
    this.#room = room;
  }

  tidy(): void {
    this.#wanted = { ...this.#wanted, tidy: true };
    this.#pump();
  }

  /** Another try, once the layout has stopped. */
  tryAgain(): void {
    if (this.#runner.state === "stopped") this.#runner.start();
  }

  close(): void {
    this.#stop();
    this.#changes?.close();
    this.#runner.close();
  }

  #layoutIs(state: LayoutState): void {
    this.#changes?.close();
    this.#changes = undefined;
    if (this.#picture.layout !== state) {
      this.#picture = { ...this.#picture, layout: state };
      this.#tellListeners();
    }
    // Last, because a layout may fail on its input before this returns.
    if (state === "answering") this.#tellEverything();
  }

  /** A layout that knows nothing is given the newest of everything. */
  #tellEverything(): void {
    this.#changes = this.#store.openChanges();
    this.#sent.clear();
    const { open } = this.#picture;
    this.#wanted = {
      ...(open.length === 0 ? {} : { open }),
      ...(this.#filter === NO_FILTER ? {} : { filter: this.#filter }),
      ...(this.#lookedAt === "" ? {} : { wanted: [this.#lookedAt] }),
    };
    this.#first = true;
    this.#busy = false;
    this.#pump();
  }

  #pump(): void {
    if (this.#busy || this.#changes === undefined) return;
    const whole = this.#first;
    const request = this.#collect(this.#changes);
    if (request === undefined) return;
    this.#busy = true;
    this.#runner.send(request, (answer) => {
      this.#busy = false;
      if (whole) this.#drawn.clear();
      this.#take(answer, request);
      this.#pump();
    });
  }

  #collect(changes: ChangeCursor): EngineRequest | undefined {
    const wanted = this.#wanted;
    this.#wanted = {};
    const news = changes.take();
    const change = this.#first ? { nodes: this.#store.nodes, edges: this.#store.edges, removedNodes: [], removedEdges: [] } : news;
    const { sent, arriving } = this.#sent.tell(change, this.#store);
    this.#arriving = arriving;
    const count = Object.values(sent).reduce((sum, list) => sum + list.length, 0);
    // A new layout also gets an empty request: nothing that an earlier one drew may be left.
    const leftOver = this.#first && this.#drawn.cards.size > 0;
    if (count === 0 && Object.keys(wanted).length === 0 && !leftOver) return undefined;
    // Until every kind has answered once the picture is still being put together; afterwards nothing moves by itself.
    const tidy = wanted.tidy === true || this.#first || !this.#settled;
    this.#settled = this.#store.view().complete;
    this.#first = false;
    const room = tidy || wanted.filter !== undefined ? { room: this.#room } : {};
    return { ...sent, ...wanted, ...room, tidy };
  }

  #take(answer: EngineAnswer, request: EngineRequest): void {
    const moved = this.#drawn.take(answer);
    const fresh = request.tidy === true || [request.open, request.filter, request.wanted].some((each) => each !== undefined);
    this.#picture = {
      cards: this.#drawn.cards,
      edges: this.#drawn.edges,
      total: answer.total,
      hidden: answer.hidden,
      edgeCounts: this.#sent.edgeCounts(),
      open: this.#picture.open,
      arrived: fresh ? [] : this.#arriving.filter((id) => this.#drawn.cards.has(id)),
      moved: moved && !fresh,
      version: this.#picture.version + 1,
      layoutVersion: this.#picture.layoutVersion + (fresh ? 1 : 0),
      layout: "answering",
    };
    this.#tellListeners();
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Cards and lines of the picture, as the layout has reported them; the same maps all the time. */
class DrawnParts {
  readonly cards = new Map<string, PlacedCard>();
  readonly edges = new Map<string, CardEdge>();

  /** @returns whether a card that was there stands elsewhere now */
  take(answer: EngineAnswer): boolean {
    for (const id of answer.removedCards) this.cards.delete(id);
    const isMoved = answer.cards.some(({ card, slot }) => isElsewhere(this.cards.get(card.id)?.slot, slot));
    for (const placed of answer.cards) this.cards.set(placed.card.id, placed);
    for (const id of answer.removedEdges) this.edges.delete(id);
    for (const edge of answer.edges) this.edges.set(edge.id, edge);
    return isMoved;
  }

  /** Another layout answers, which knows nothing of these. */
  clear(): void {
    this.cards.clear();
    this.edges.clear();
  }
}

function isElsewhere(before: Slot | undefined, now: Slot): boolean {
  return before !== undefined && (before.row !== now.row || before.column !== now.column || before.lane !== now.lane);
}

type SentChanges = Pick<EngineRequest, "nodes" | "edges" | "removedNodes" | "removedEdges">;

interface Change {
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly edges: ReadonlyMap<string, LiveEdge>;
  readonly removedNodes: Iterable<string>;
  readonly removedEdges: Iterable<string>;
}

/** The graph as it was sent to a layout, so that only differences are sent. */
class SentGraph {
  readonly #nodes = new Map<string, InputNode>();
  readonly #styles = new Map<string, EdgeStyle>();

  /** The layout knows nothing. */
  clear(): void {
    this.#nodes.clear();
    this.#styles.clear();
  }

  /** The part of a change that has to be sent, and the nodes that are new to the layout. */
  tell(change: Change, store: EnvironmentStore): { readonly sent: SentChanges; readonly arriving: readonly string[] } {
    const nodes: InputNode[] = [];
    const arriving: string[] = [];
    const edges = [];
    const removedNodes = [...change.removedNodes].filter((id) => this.#nodes.delete(id));
    for (const node of change.nodes.values()) {
      const input = inputNodeOf(node);
      const before = this.#nodes.get(input.id);
      if (sameInput(before, input)) continue;
      if (before === undefined) arriving.push(input.id);
      this.#nodes.set(input.id, input);
      nodes.push(input);
    }
    const removedEdges = [...change.removedEdges].filter((id) => this.#styles.delete(id));
    for (const edge of change.edges.values()) {
      this.#styles.set(edge.id, styleOf(edge));
      edges.push(inputEdgeOf(edge, store.node(edge.to)));
    }
    return { sent: { nodes, edges, removedNodes, removedEdges }, arriving };
  }

  /** Edges by style, folded ones too. */
  edgeCounts(): Readonly<Record<EdgeStyle, number>> {
    const counts = { ...NO_COUNTS };
    for (const style of this.#styles.values()) counts[style] += 1;
    return counts;
  }
}
