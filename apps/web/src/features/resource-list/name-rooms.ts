import type { Column, ColumnKey } from "./columns.tsx";

/** Pixels for a text in each column of a row. */
export type NameRooms = Readonly<Partial<Record<ColumnKey, number>>>;

/** What of a cell is no room for a text (list.module.css). */
const PADDING_PX = 12;

/** Room for names in columns so wide; while their width is unknown, the minimum room. */
export function nameRooms(columns: readonly Column[], widths: readonly number[]): NameRooms {
  // Before the columns stands the box that chooses a row.
  return Object.fromEntries(columns.map(({ key, least }, index) => [key, (widths[index + 1] ?? least) - PADDING_PX]));
}
