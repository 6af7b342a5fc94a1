import { forestOf } from "@binnacle/graph";

import { cardEdgesOf, sameCardEdge } from "./card-edges.ts";
import type { Card, CardEdge, Slot } from "./card.ts";
import { foldGraph } from "./fold-graph.ts";
import { NO_FILTER, type GraphFilter, type InputEdge, type InputNode, STATUS, type Around } from "./graph-input.ts";
import { USUAL_ROOM, type Room } from "./lanes.ts";
import { CardLayout } from "./layout-cards.ts";
import { near, type Ends } from "./near.ts";
import { routeEdges } from "./routes.ts";

/** A request to the engine. Absent lists change nothing. */
export interface EngineRequest {
  readonly nodes?: readonly InputNode[];
  readonly removedNodes?: readonly string[];
  readonly edges?: readonly InputEdge[];
  readonly removedEdges?: readonly string[];
  /** Folds that are open from now on. */
  readonly open?: readonly string[];
  readonly filter?: GraphFilter;
  /** Nodes that are looked at: their branches are shown whatever else is folded. */
  readonly wanted?: readonly string[];
  /** What the next tidy layout has to fit into; nothing moves because of it. */
  readonly room?: Room;
  /** Lay everything out again, worst first: a user requested it, or the first data is still coming in. */
  readonly tidy?: boolean;
}

/** A card and where it stands. */
export interface PlacedCard {
  readonly card: Card;
  readonly slot: Slot;
}

/** What changed in the picture since the last answer. */
export interface EngineAnswer {
  readonly cards: readonly PlacedCard[];
  readonly removedCards: readonly string[];
  readonly edges: readonly CardEdge[];
  readonly removedEdges: readonly string[];
  /** Nodes in the graph, and nodes that the filter hides. */
  readonly total: number;
  readonly hidden: number;
}

/** Keeps a copy of the graph and turns changes of it into changes of the picture. Runs in the worker; pure but for its own state. */
export class GraphEngine {
  readonly #nodes = new Map<string, InputNode>();
  readonly #edges = new Map<string, InputEdge>();
  readonly #layout = new CardLayout();
  #open: ReadonlySet<string> = new Set();
  #filter: GraphFilter = NO_FILTER;
  #wanted: ReadonlySet<string> = new Set();
  #room: Room = USUAL_ROOM;
  #shownCards = new Map<string, PlacedCard>();
  #shownEdges: ReadonlyMap<string, CardEdge> = new Map();

  /** Applies a request and says what it changed. */
  answer(request: EngineRequest): EngineAnswer {
    this.#take(request);
    const nodes = filterGraph(this.#nodes, this.#edges, this.#filter);
    const wanted = new Set(this.#filter.around === undefined ? this.#wanted : [...this.#wanted, this.#filter.around.id]);
    const folded = foldGraph(nodes, this.#edges, { open: this.#open, wanted, kept: this.#keptCards(request) });
    if (request.tidy === true) this.#layout.tidy(folded.cards, { room: this.#room });
    else if (request.filter !== undefined) this.#layout.tidy(folded.cards, { keepOrder: true, room: this.#room });
    else if (request.open !== undefined || request.wanted !== undefined) this.#layout.reflow(folded.cards);
    else this.#layout.update(folded.cards);
    const edges = routeEdges(cardEdgesOf(folded, nodes, this.#edges), this.#layout.slots);
    return {
      ...this.#diffCards(folded.cards),
      ...this.#diffEdges(edges),
      total: this.#nodes.size,
      hidden: this.#nodes.size - nodes.size,
    };
  }

  /** Cards that stay shown though they could be folded: until the next tidy layout all that are shown, but those of a fold that is closed now. */
  #keptCards({ tidy, filter }: EngineRequest): ReadonlySet<string> {
    if (tidy === true || filter !== undefined) return new Set();
    const kept = [...this.#shownCards.values()].filter(({ card }) => card.foldId === "" || this.#open.has(card.foldId));
    return new Set(kept.map(({ card }) => card.id));
  }

  #take(request: EngineRequest): void {
    for (const id of request.removedNodes ?? []) this.#nodes.delete(id);
    for (const node of request.nodes ?? []) this.#nodes.set(node.id, node);
    for (const id of request.removedEdges ?? []) this.#edges.delete(id);
    for (const edge of request.edges ?? []) this.#edges.set(edge.id, edge);
    if (request.open !== undefined) this.#open = new Set(request.open);
    if (request.filter !== undefined) this.#filter = request.filter;
    if (request.wanted !== undefined) this.#wanted = new Set(request.wanted);
    if (request.room !== undefined) this.#room = request.room;
  }

  #diffCards(cards: ReadonlyMap<string, Card>): Pick<EngineAnswer, "cards" | "removedCards"> {
    const changed: PlacedCard[] = [];
    const shown = new Map<string, PlacedCard>();
    for (const [id, card] of cards) {
      const slot = this.#layout.slots.get(id) ?? { lane: 0, column: 0, row: 0 };
      const before = this.#shownCards.get(id);
      const same = before !== undefined && sameSlot(before.slot, slot) && sameCard(before.card, card);
      const placed = same ? before : { card, slot };
      shown.set(id, placed);
      if (!same) changed.push(placed);
    }
    const removedCards = [...this.#shownCards.keys()].filter((id) => !shown.has(id));
    this.#shownCards = shown;
    return { cards: changed, removedCards };
  }

  #diffEdges(edges: ReadonlyMap<string, CardEdge>): Pick<EngineAnswer, "edges" | "removedEdges"> {
    const changed = [...edges.values()].filter((edge) => !sameCardEdge(this.#shownEdges.get(edge.id), edge));
    const removedEdges = [...this.#shownEdges.keys()].filter((id) => !edges.has(id));
    this.#shownEdges = edges;
    return { edges: changed, removedEdges };
  }
}

function sameSlot(left: Slot, right: Slot): boolean {
  return left.lane === right.lane && left.column === right.column && left.row === right.row;
}

function sameCard(left: Card, right: Card): boolean {
  return (
    left.status === right.status &&
    left.presence === right.presence &&
    left.name === right.name &&
    left.parentId === right.parentId &&
    left.foldId === right.foldId &&
    left.fold === right.fold &&
    left.owner === right.owner &&
    left.below === right.below &&
    left.worstBelow === right.worstBelow &&
    left.members.length === right.members.length &&
    left.members.every((id, index) => right.members[index] === id) &&
    String(left.counts) === String(right.counts)
  );
}

/** Whether a node itself passes; owners of those that pass are kept beside them. */
function passes(node: Pick<InputNode, "namespace" | "kind" | "status" | "presence">, filter: GraphFilter): boolean {
  if (filter.namespaces.length > 0 && !filter.namespaces.includes(node.namespace)) return false;
  if (filter.kinds.length > 0 && !filter.kinds.includes(node.kind)) return false;
  if (filter.statuses.length > 0 && !filter.statuses.includes(node.status)) return false;
  return !filter.onlyProblems || node.status >= STATUS.missing;
}

/** Of the nodes near another, if only those are requested, the ones that pass, with their owners up to the root and, for a missing one, who refers to it. */
function filterGraph(
  all: ReadonlyMap<string, InputNode>,
  edges: ReadonlyMap<string, InputEdge>,
  filter: GraphFilter,
): ReadonlyMap<string, InputNode> {
  const nodes = filter.around === undefined ? all : nodesNear(all, edges, filter.around);
  const plain = filter.namespaces.length + filter.kinds.length + filter.statuses.length === 0 && !filter.onlyProblems;
  if (plain) return nodes;
  const kept = new Map<string, InputNode>();
  const { rootOf } = forestOf(nodes);
  const keep = (start: InputNode): void => {
    for (let node: InputNode | undefined = start; node !== undefined && !kept.has(node.id); node = nodes.get(node.ownerId)) {
      kept.set(node.id, node);
      if (rootOf(node.id) === node.id) break;
    }
  };
  for (const node of nodes.values()) if (passes(node, filter)) keep(node);
  for (const edge of edges.values()) {
    const holder = nodes.get(edge.source);
    if (edge.style === "dangling" && holder !== undefined && kept.has(edge.target)) keep(holder);
  }
  return kept;
}

function nodesNear(
  nodes: ReadonlyMap<string, InputNode>,
  edges: ReadonlyMap<string, InputEdge>,
  { id, hops, styles }: Around,
): ReadonlyMap<string, InputNode> {
  const lines = [...edges.values()].flatMap(({ source, target, style }): readonly Ends[] =>
    styles.includes(style) ? [[source, target]] : [],
  );
  const found = near(lines, id, hops);
  return new Map([...nodes].filter(([each]) => found.has(each)));
}
