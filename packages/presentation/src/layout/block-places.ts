import type { BlockGrid } from "./block-grid.ts";
import type { Slot } from "./card.ts";
import { BLOCK_GAP } from "./lanes.ts";

/** A block and where it stands: its lane, and its first row there. */
export interface Block {
  readonly lane: number;
  readonly start: number;
  readonly grid: BlockGrid;
}

type Blocks = ReadonlyMap<string, Block>;
type Moves = readonly (readonly [string, Block])[];

/** Where the next block may begin. */
export function endOf(start: number, grid: BlockGrid): number {
  return tenths(start + grid.rows + BLOCK_GAP);
}

/** Where a card of the block stands. */
export function slotOf(block: Block, id: string): Slot {
  const cell = block.grid.cells.get(id) ?? { column: 0, row: 0 };
  return { lane: block.lane, column: cell.column, row: block.start + cell.row };
}

/** The highest place where so many rows fit: what has gone left room, or below the shortest lane. */
export function freePlace(all: Blocks, rows: number): Pick<Block, "lane" | "start"> {
  let best = { lane: 0, start: Infinity };
  for (const [lane, blocks] of byLane(all)) {
    let start = 0;
    for (const [, block] of blocks) {
      if (start + rows + BLOCK_GAP <= block.start) break;
      start = endOf(block.start, block.grid);
    }
    if (start < best.start) best = { lane, start };
  }
  return best;
}

/** What blocks that grew push down in their lane, just as far as they must; a hole between them ends it. */
export function pushed(all: Blocks, lane: number): Moves {
  const moves: [string, Block][] = [];
  let free = 0;
  for (const [key, block] of byLane(all).get(lane) ?? []) {
    const start = Math.max(block.start, free);
    if (start > block.start) moves.push([key, { ...block, start }]);
    free = endOf(start, block.grid);
  }
  return moves;
}

/** The blocks below one in its lane, by so many rows further down. */
export function shifted(all: Blocks, { lane, start }: Block, rows: number): Moves {
  if (rows === 0) return [];
  const below = [...all].filter(([, block]) => block.lane === lane && block.start > start);
  return below.map(([key, block]) => [key, { ...block, start: tenths(block.start + rows) }]);
}

/** Blocks of every lane from top to bottom; there is always a first lane. */
function byLane(all: Blocks): ReadonlyMap<number, Moves> {
  const lanes = new Map<number, [string, Block][]>([[0, []]]);
  for (const entry of [...all].sort(([, one], [, two]) => one.lane - two.lane || one.start - two.start)) {
    const [, { lane }] = entry;
    const list = lanes.get(lane);
    if (list === undefined) lanes.set(lane, [entry]);
    else list.push(entry);
  }
  return lanes;
}

/** Without the dust of adding fractions: what is moved down and up again is where it was. */
function tenths(rows: number): number {
  return Math.round(rows * 10) / 10;
}
