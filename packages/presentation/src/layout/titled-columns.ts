import type { WordsId } from "@binnacle/words";
import type { Slot } from "./card.ts";
import { COLUMN_TITLES } from "./columns.ts";
import { LANE_COLUMNS } from "./lanes.ts";

/** A column that has something to be the title of. */
export interface TitledColumn {
  readonly title: WordsId;
  /** Columns from the left edge of the picture. */
  readonly at: number;
  /** Columns to the next one that has a title; infinite for the last one. */
  readonly room: number;
}

/** Columns in which cards stand, lane by lane: above an empty one a title would only promise something. */
export function titledColumns(cards: Iterable<{ readonly slot: Slot }>): readonly TitledColumn[] {
  const found = new Map<number, Omit<TitledColumn, "room">>();
  for (const { slot } of cards) {
    const at = slot.lane * LANE_COLUMNS + slot.column;
    const title = COLUMN_TITLES[slot.column];
    if (title !== undefined && !found.has(at)) found.set(at, { title, at });
  }
  const sorted = [...found.values()].sort((one, other) => one.at - other.at);
  return sorted.map((column, index) => ({ ...column, room: (sorted[index + 1]?.at ?? Infinity) - column.at }));
}
