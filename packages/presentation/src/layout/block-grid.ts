import { isSupporting } from "@binnacle/graph";
import type { Card } from "./card.ts";
import { LAST, WORKLOADS } from "./columns.ts";
import { compare } from "../graph/compare.ts";

/** Place of a card inside its block. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

/** The taken cells of one block. */
export class BlockGrid {
  readonly #taken = new Set<string>();
  readonly cells = new Map<string, Cell>();
  rows = 0;

  /** Takes the cell for the card and grows the block if it must. */
  put(id: string, cell: Cell): Cell {
    this.#taken.add(keyOf(cell));
    this.cells.set(id, cell);
    this.rows = Math.max(this.rows, cell.row + 1);
    return cell;
  }

  remove(id: string): void {
    const cell = this.cells.get(id);
    if (cell === undefined) return;
    this.cells.delete(id);
    this.#taken.delete(keyOf(cell));
  }

  /** First free row of a column at or below `row`. */
  freeRow(column: number, row: number): number {
    let at = row;
    while (this.#taken.has(keyOf({ column, row: at }))) at += 1;
    return at;
  }
}

/** Lays a block out from nothing: ownership makes the rows, the rest fills what they leave. */
export function fillBlock(grid: BlockGrid, cards: readonly Card[]): void {
  const children = new Map<string, Card[]>();
  const ids = new Set(cards.map((card) => card.id));
  for (const card of cards) {
    if (!ids.has(card.parentId)) continue;
    const list = children.get(card.parentId);
    if (list === undefined) children.set(card.parentId, [card]);
    else list.push(card);
  }
  const roots = cards.filter((card) => !ids.has(card.parentId)).sort(byPlace);
  for (const root of roots) placeTree(root, 0);
  // Members of a cycle of owners have no root; they are placed all the same.
  for (const card of cards) if (!grid.cells.has(card.id)) placeTree(card, 0);

  function placeTree(card: Card, fromRow: number): void {
    if (grid.cells.has(card.id)) return;
    const below = (children.get(card.id) ?? []).filter((child) => !grid.cells.has(child.id)).sort(byPlace);
    const first = below.find((child) => !isSupporting(child.kind) && child.column > card.column);
    const { row: from } = cheapestCell(grid, card, fromRow);
    // The first child stands beside its parent: the parent waits for that row.
    const row = first === undefined ? from : grid.freeRow(card.column, Math.max(from, grid.freeRow(first.column, from)));
    const cell = first === undefined ? cheapestCell(grid, card, row) : { column: card.column, row };
    grid.put(card.id, cell);
    for (const child of below) placeTree(child, cell.row);
  }
}

/**
 * Adds one card to a block that is already drawn: always in its own column, below its parent's row, else in a free cell above, else the block
 * grows by a row. What is superseded takes the last free cell, so that the good one is left for what is live.
 */
export function addToBlock(grid: BlockGrid, card: Card): Cell {
  if (card.superseded) {
    for (let row = grid.rows - 1; row >= 0; row -= 1) {
      if (grid.freeRow(card.column, row) === row) return grid.put(card.id, { column: card.column, row });
    }
  }
  const below = cheapestCell(grid, card, grid.cells.get(card.parentId)?.row ?? 0);
  const above = below.row < grid.rows ? below : cheapestCell(grid, card, 0);
  return grid.put(card.id, above.row < grid.rows ? above : below);
}

function cheapestCell(grid: BlockGrid, card: Card, fromRow: number): Cell {
  const own = { column: card.column, row: grid.freeRow(card.column, fromRow) };
  if (!isSupporting(card.kind) || card.column !== LAST) return own;
  const left = { column: LAST - 1, row: grid.freeRow(LAST - 1, fromRow) };
  return left.row < own.row ? left : own;
}

/** Workloads first, then what leads to them, then configuration; what is superseded last; worst first, then by name. */
function byPlace(left: Card, right: Card): number {
  return (
    rank(left) - rank(right) ||
    Number(left.superseded) - Number(right.superseded) ||
    right.status - left.status ||
    compare(left.name, right.name) ||
    compare(left.id, right.id)
  );
}

function rank(card: Card): number {
  if (isSupporting(card.kind)) return 4;
  if (card.column >= WORKLOADS) return 0;
  if (card.column === 1) return card.kind === "Service" ? 1 : 2;
  return 3;
}

function keyOf(cell: Cell): string {
  return `${cell.column}/${cell.row}`;
}
