import { addToBlock, BlockGrid, fillBlock, SPILL_COLUMNS } from "./block-grid.ts";
import type { Card, Slot } from "./card.ts";
import { LAST } from "./columns.ts";
import { compare } from "./compare.ts";

/** Columns from one lane to the next. */
export const LANE_COLUMNS = LAST + 1 + SPILL_COLUMNS;
/** Space between two blocks, in rows. */
const BLOCK_GAP = 0.3;
/** Rows that fit one screen or two: up to here there is one lane. */
const ROWS_OF_ONE_LANE = 28;
/** Width of a column over height of a row, about: 284 by 88 pixels, 208 by 75 when compact. */
const COLUMN_PER_ROW = 280 / 88;
/** Width of the picture over its height. */
const ASPECT = 1.6;

interface Block {
  readonly lane: number;
  readonly start: number;
  readonly grid: BlockGrid;
}

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

  get lanes(): number {
    return Math.max(0, ...[...this.#blocks.values()].map((block) => block.lane)) + 1;
  }

  /**
   * Lays everything out from nothing, like a newspaper: blocks below each other, then in further lanes. Linear but for sorting.
   *
   * @param keepOrder keep the order of blocks that were there, so that a filter does not shuffle the rest
   */
  tidy(cards: ReadonlyMap<string, Card>, keepOrder = false): void {
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
    const perLane = rowsPerLane(grids.map((each) => each.grid.rows));
    let lane = 0;
    let start = 0;
    for (const { key, grid } of grids) {
      if (start > 0 && start + grid.rows > perLane) {
        lane += 1;
        start = 0;
      }
      this.#blocks.set(key, { lane, start, grid });
      start += grid.rows + BLOCK_GAP;
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
      this.#shift(block, grid.rows - block.grid.rows);
      for (const card of members) this.#place(card);
    }
    for (const id of this.#slots.keys()) if (!cards.has(id)) this.#forget(id);
  }

  /** Removes what left, finds free cells for what is new, and moves nothing else unless a block has to grow. */
  update(cards: ReadonlyMap<string, Card>): void {
    for (const id of this.#slots.keys()) if (!cards.has(id)) this.#forget(id);
    const added = [...cards.values()].filter((card) => !this.#slots.has(card.id)).sort(parentsFirst(cards));
    const fresh = new Map<string, Card[]>();
    for (const card of added) {
      const key = this.#blockOfParent(card) ?? card.block;
      const block = this.#blocks.get(key);
      if (block === undefined) {
        fresh.set(card.block, [...(fresh.get(card.block) ?? []), card]);
        continue;
      }
      const rows = block.grid.rows;
      addToBlock(block.grid, card);
      this.#shift(block, block.grid.rows - rows);
      this.#blockOf.set(card.id, key);
      this.#slots.set(card.id, slotOf(block, card.id));
    }
    for (const [key, members] of fresh) this.#append(key, members);
  }

  /** A new ReplicaSet of a known Deployment belongs beside it, even if another block would claim it now. */
  #blockOfParent(card: Card): string | undefined {
    return card.parentId === "" ? undefined : this.#blockOf.get(card.parentId);
  }

  #append(key: string, members: readonly Card[]): void {
    const grid = new BlockGrid();
    fillBlock(grid, members);
    const ends = this.#laneEnds();
    const shortest = [...ends].sort((left, right) => left[1] - right[1])[0] ?? [0, 0];
    this.#blocks.set(key, { lane: shortest[0], start: shortest[1], grid });
    this.#order.push(key);
    for (const card of members) this.#place({ ...card, block: key });
  }

  #laneEnds(): Map<number, number> {
    const ends = new Map<number, number>();
    for (const block of this.#blocks.values()) {
      ends.set(block.lane, Math.max(ends.get(block.lane) ?? 0, block.start + block.grid.rows + BLOCK_GAP));
    }
    return ends;
  }

  /** Moves the blocks below in the same lane. */
  #shift(grown: Block, rows: number): void {
    if (rows === 0) return;
    for (const [key, block] of this.#blocks) {
      if (block.lane !== grown.lane || block.start <= grown.start) continue;
      const moved = { ...block, start: block.start + rows };
      this.#blocks.set(key, moved);
      for (const id of moved.grid.cells.keys()) this.#slots.set(id, slotOf(moved, id));
    }
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

function slotOf(block: Block, id: string): Slot {
  const cell = block.grid.cells.get(id) ?? { column: 0, row: 0 };
  return { lane: block.lane, column: cell.column, row: block.start + cell.row };
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

function rowsPerLane(rows: readonly number[]): number {
  const total = rows.reduce((sum, each) => sum + each + BLOCK_GAP, 0);
  if (total <= ROWS_OF_ONE_LANE) return Infinity;
  const lanes = Math.max(1, Math.round(Math.sqrt((ASPECT * total) / (LANE_COLUMNS * COLUMN_PER_ROW))));
  return Math.max(total / lanes, Math.max(...rows));
}

function parentsFirst(cards: ReadonlyMap<string, Card>): (left: Card, right: Card) => number {
  const depth = (card: Card): number => {
    let steps = 0;
    for (let at = cards.get(card.parentId); at !== undefined && steps < 20; at = cards.get(at.parentId)) steps += 1;
    return steps;
  };
  return (left, right) => depth(left) - depth(right) || compare(left.kind, right.kind) || compare(left.name, right.name);
}
