import type { Clock } from "@binnacle/rpc";
import { browserClock } from "../../live/browser-clock.ts";
import type { ChangeCursor } from "../../live/change-cursors.ts";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import { inputEdgeOf, inputNodeOf, sameInput, styleOf } from "./graph-input-of.ts";
import type { CardEdge, Slot } from "../layout/card.ts";
import type { EngineAnswer, EngineRequest, PlacedCard } from "../layout/graph-engine.ts";
import type { OpenLayout } from "./layout-port.ts";
import { LayoutRunner, type LayoutState } from "./layout-runner.ts";
import { NO_FILTER, type EdgeStyle, type GraphFilter, type InputNode } from "../layout/graph-input.ts";
import { USUAL_ROOM, type Room } from "../layout/lanes.ts";

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
  /** Cards of resources that are new since the answer before; empty when everything was laid out anew. */
  readonly arrived: readonly string[];
  /** Whether cards that were there made room for others. */
  readonly moved: boolean;
  /** Whether the picture follows the environment; if not it stands still. */
  readonly layout: LayoutState;
}

const NO_COUNTS = { owns: 0, routes: 0, uses: 0, binds: 0, governs: 0, dangling: 0 };

/** Nothing was drawn yet. */
export const NO_PICTURE: Picture = {
  cards: new Map(),
  edges: new Map(),
  lanes: 1,
  total: 0,
  hidden: 0,
  edgeCounts: NO_COUNTS,
  open: [],
  arrived: [],
  moved: false,
  version: 0,
  layoutVersion: 0,
  layout: "answering",
};

interface SessionOptions {
  readonly clock?: Clock;
  readonly folds?: readonly string[];
  readonly room?: Room;
}

/** Feeds the layout with the changes of a store and holds its answers. One request is under way at a time; what comes meanwhile is merged. A layout that had to be replaced is told everything anew. */
export class GraphSession {
  readonly #store: EnvironmentStore;
  readonly #runner: LayoutRunner;
  readonly #sent = new Map<string, InputNode>();
  readonly #styles = new Map<string, EdgeStyle>();
  readonly #cards = new Map<string, PlacedCard>();
  readonly #edges = new Map<string, CardEdge>();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  #changes: ChangeCursor | undefined;
  #picture: Picture;
  #wanted: Pick<EngineRequest, "open" | "filter" | "tidy" | "wanted"> = {};
  #lookedAt = "";
  #room: Room;
  #arriving: string[] = [];
  #busy = false;
  #settled = false;
  #filter = NO_FILTER;
  #first = true;
  #openedBy: "person" | "page" = "page";

  /** @param options `folds` are open from the beginning */
  constructor(store: EnvironmentStore, open: OpenLayout, { clock = browserClock, folds = [], room = USUAL_ROOM }: SessionOptions = {}) {
    this.#store = store;
    this.#room = room;
    this.#picture = { ...NO_PICTURE, cards: this.#cards, edges: this.#edges, open: folds };
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
    // At last: a layout may die of what it is told before this returns.
    if (state === "answering") this.#tellEverything();
  }

  /** A layout that knows nothing is given the newest of everything. */
  #tellEverything(): void {
    this.#changes = this.#store.openChanges();
    this.#sent.clear();
    this.#styles.clear();
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
      if (whole) this.#forgetPicture();
      this.#take(answer, request);
      this.#pump();
    });
  }

  /** What an earlier layout placed and this one does not know. */
  #forgetPicture(): void {
    this.#cards.clear();
    this.#edges.clear();
  }

  #collect(changes: ChangeCursor): EngineRequest | undefined {
    const wanted = this.#wanted;
    this.#wanted = {};
    const nodes: InputNode[] = [];
    this.#arriving = [];
    const edges = [];
    const removedNodes: string[] = [];
    const removedEdges: string[] = [];
    const news = changes.take();
    const change = this.#first ? { nodes: this.#store.nodes, edges: this.#store.edges, removedNodes: [], removedEdges: [] } : news;
    for (const id of change.removedNodes) if (this.#sent.delete(id)) removedNodes.push(id);
    for (const node of change.nodes.values()) {
      const input = inputNodeOf(node);
      const before = this.#sent.get(input.id);
      if (sameInput(before, input)) continue;
      if (before === undefined) this.#arriving.push(input.id);
      this.#sent.set(input.id, input);
      nodes.push(input);
    }
    for (const id of change.removedEdges) if (this.#styles.delete(id)) removedEdges.push(id);
    for (const edge of change.edges.values()) {
      this.#styles.set(edge.id, styleOf(edge));
      edges.push(inputEdgeOf(edge, this.#store.node(edge.to)));
    }
    const count = nodes.length + edges.length + removedNodes.length + removedEdges.length;
    // A new layout is asked for nothing as well: of what an earlier one drew nothing may be left.
    const leftOver = this.#first && this.#cards.size > 0;
    if (count === 0 && Object.keys(wanted).length === 0 && !leftOver) return undefined;
    // Until every kind has answered once the picture is still being put together; afterwards nothing moves by itself.
    const tidy = wanted.tidy === true || this.#first || !this.#settled;
    this.#settled = this.#store.view().complete;
    this.#first = false;
    const room = tidy || wanted.filter !== undefined ? { room: this.#room } : {};
    return { nodes, edges, removedNodes, removedEdges, ...wanted, ...room, tidy };
  }

  #take(answer: EngineAnswer, request: EngineRequest): void {
    for (const id of answer.removedCards) this.#cards.delete(id);
    const moved = answer.cards.some(({ card, slot }) => hasMoved(this.#cards.get(card.id)?.slot, slot));
    for (const placed of answer.cards) this.#cards.set(placed.card.id, placed);
    for (const id of answer.removedEdges) this.#edges.delete(id);
    for (const edge of answer.edges) this.#edges.set(edge.id, edge);
    const edgeCounts = { ...NO_COUNTS };
    for (const style of this.#styles.values()) edgeCounts[style] += 1;
    const fresh = request.tidy === true || [request.open, request.filter, request.wanted].some((each) => each !== undefined);
    this.#picture = {
      cards: this.#cards,
      edges: this.#edges,
      lanes: answer.lanes,
      total: answer.total,
      hidden: answer.hidden,
      edgeCounts,
      open: this.#picture.open,
      arrived: fresh ? [] : this.#arriving.filter((id) => this.#cards.has(id)),
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

function hasMoved(before: Slot | undefined, now: Slot): boolean {
  return before !== undefined && (before.row !== now.row || before.column !== now.column || before.lane !== now.lane);
}
