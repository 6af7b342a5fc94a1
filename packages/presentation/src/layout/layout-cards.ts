import { addToBlock, BlockGrid, fillBlock } from "./block-grid.ts";
import type { Card, Slot } from "./card.ts";
import { compare } from "../graph/compare.ts";
import { endOf, freePlace, pushed, shifted, slotOf, type Block } from "./block-places.ts";
import { rowsPerLane, USUAL_ROOM, type Room } from "./lanes.ts";

/** Where everything stands; kept from one update to the next, so that what did not change does not move. */
export class CardLayout {
  #blocks = new Map<string, Block>();
  #slots = new Map<string, Slot>();
  #order: string[] = [];
  /** Block that a card stands in; it stays there until the next tidy. */
  #blockOf = new Map<string, string>();

  /** Place of every card, as of the last call. */
  get slots(): ReadonlyMap<string, Slot> {
    return this.#slots;
  }

  /**
   * Lays everything out from nothing, like a newspaper: blocks below each other, then in further lanes. Linear but for sorting.
   *
   * @param options keepOrder: keep the order of blocks that were there, so that a filter does not shuffle the rest. room: what it is to fit into
   */
  tidy(cards: ReadonlyMap<string, Card>, options: { readonly keepOrder?: boolean; readonly room?: Room } = {}): void {
    const { keepOrder = false, room = USUAL_ROOM } = options;
    const byBlock = groupByBlock(cards);
    const before = keepOrder ? new Map(this.#order.map((key, index) => [key, index])) : new Map<string, number>();
    const grids = [...byBlock].map(([key, members]) => {
      const grid = new BlockGrid();
      fillBlock(grid, members);
      return { key, grid, worst: Math.max(...members.map((card) => card.status)), name: blockName(key, members) };
    });
    grids.sort(
      (left, right) =>
        (before.get(left.key) ?? Infinity) - (before.get(right.key) ?? Infinity) ||
        Number(left.key.startsWith("rest:")) - Number(right.key.startsWith("rest:")) ||
        right.worst - left.worst ||
        compare(left.name, right.name),
    );
    this.#order = grids.map((each) => each.key);
    this.#blocks = new Map();
    const perLane = rowsPerLane(
      grids.map((each) => each.grid.rows),
      room,
    );
    let lane = 0;
    let start = 0;
    for (const { key, grid } of grids) {
      if (start > 0 && start + grid.rows > perLane) {
        lane += 1;
        start = 0;
      }
      this.#blocks.set(key, { lane, start, grid });
      start = endOf(start, grid);
    }
    this.#slots = new Map();
    this.#blockOf = new Map();
    for (const card of cards.values()) this.#place(card);
  }

  /** Lays out again only the blocks whose cards are others now, because a fold was opened or closed; those below them in the lane make room. */
  reflow(cards: ReadonlyMap<string, Card>): void {
    for (const [key, members] of groupByBlock(cards)) {
      const block = this.#blocks.get(key);
      if (block === undefined) {
        this.#append(key, members);
        continue;
      }
      const same = members.length === block.grid.cells.size && members.every((card) => block.grid.cells.has(card.id));
      if (same) continue;
      const grid = new BlockGrid();
      fillBlock(grid, members);
      for (const id of block.grid.cells.keys()) if (this.#blockOf.get(id) === key) this.#slots.delete(id);
      this.#blocks.set(key, { ...block, grid });
      for (const [below, moved] of shifted(this.#blocks, block, grid.rows - block.grid.rows)) this.#move(below, moved);
      for (const card of members) this.#place(card);
    }
    for (const id of this.#slots.keys()) if (!cards.has(id)) this.#forget(id);
  }

  /** Removes what left and finds free cells for what is new. Where a block has to grow, those below it in its lane make room, once. */
  update(cards: ReadonlyMap<string, Card>): void {
    for (const id of this.#slots.keys()) if (!cards.has(id)) this.#forget(id);
    const added = [...cards.values()].filter((card) => !this.#slots.has(card.id)).sort(parentsFirst(cards));
    const fresh = new Map<string, Card[]>();
    const grown = new Set<Block>();
    for (const card of added) {
      const key = this.#blockOfParent(card) ?? card.block;
      const block = this.#blocks.get(key);
      if (block === undefined) {
        fresh.set(card.block, [...(fresh.get(card.block) ?? []), card]);
        continue;
      }
      const rows = block.grid.rows;
      addToBlock(block.grid, card);
      if (block.grid.rows > rows) grown.add(block);
      this.#blockOf.set(card.id, key);
      this.#slots.set(card.id, slotOf(block, card.id));
    }
    for (const lane of new Set([...grown].map((block) => block.lane)))
      for (const [key, block] of pushed(this.#blocks, lane)) this.#move(key, block);
    for (const [key, members] of fresh) this.#append(key, members);
  }

  /** A new ReplicaSet of a known Deployment belongs beside it, even if another block would claim it now. */
  #blockOfParent(card: Card): string | undefined {
    return card.parentId === "" ? undefined : this.#blockOf.get(card.parentId);
  }

  #append(key: string, members: readonly Card[]): void {
    const grid = new BlockGrid();
    fillBlock(grid, members);
    this.#blocks.set(key, { ...freePlace(this.#blocks, grid.rows), grid });
    this.#order.push(key);
    for (const card of members) this.#place({ ...card, block: key });
  }

  #move(key: string, moved: Block): void {
    this.#blocks.set(key, moved);
    for (const id of moved.grid.cells.keys()) this.#slots.set(id, slotOf(moved, id));
  }

  #forget(id: string): void {
    this.#slots.delete(id);
    const key = this.#blockOf.get(id) ?? "";
    const block = this.#blocks.get(key);
    this.#blockOf.delete(id);
    block?.grid.remove(id);
    if (block === undefined || block.grid.cells.size > 0) return;
    this.#blocks.delete(key);
    this.#order = this.#order.filter((each) => each !== key);
  }

  #place(card: Card): void {
    const block = this.#blocks.get(card.block);
    if (block === undefined) return;
    this.#blockOf.set(card.id, card.block);
    this.#slots.set(card.id, slotOf(block, card.id));
  }
}

function groupByBlock(cards: ReadonlyMap<string, Card>): ReadonlyMap<string, Card[]> {
  const blocks = new Map<string, Card[]>();
  for (const card of cards.values()) {
    const list = blocks.get(card.block);
    if (list === undefined) blocks.set(card.block, [card]);
    else list.push(card);
  }
  return blocks;
}

function blockName(key: string, members: readonly Card[]): string {
  const root = members.find((card) => card.id === key);
  return root === undefined ? key : `${root.namespace}/${root.name}`;
}

function parentsFirst(cards: ReadonlyMap<string, Card>): (left: Card, right: Card) => number {
  const depth = (card: Card): number => {
    let steps = 0;
    for (let at = cards.get(card.parentId); at !== undefined && steps < 20; at = cards.get(at.parentId)) steps += 1;
    return steps;
  };
  return (left, right) => depth(left) - depth(right) || compare(left.kind, right.kind) || compare(left.name, right.name);
}
