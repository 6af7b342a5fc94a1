import { Preference } from "../../ui/preference.ts";
import { COLUMNS, type Column, type ColumnKey } from "./columns.tsx";

const SEPARATOR = ",";

/** The columns that a reader has chosen for every list, as an address would say them; empty: all. */
export const CHOSEN_COLUMNS = new Preference<string>("list-columns", "", (text): text is string => text.length < 200);

/** How close the rows are. */
export const ROW_DENSITY = new Preference<"comfortable" | "compact">(
  "list-density",
  "comfortable",
  (text) => text === "comfortable" || text === "compact",
);

/**
 * Columns to show, always with the name, in the order of the table.
 *
 * @param requested keys of an address, or else of the reader's choice; none and unknown ones are all
 * @param managed whether a tool manages anything: otherwise there is no column for it
 */
export function shownColumns(requested: readonly string[], preferred: string, managed: boolean): readonly Column[] {
  const there = COLUMNS.filter(({ key }) => managed || key !== "managed");
  const wanted = requested.length > 0 ? requested : preferred.split(SEPARATOR);
  const chosen = there.filter(({ key }) => wanted.includes(key));
  return chosen.length === 0 ? there : there.filter(({ key }) => key === "name" || wanted.includes(key));
}

/** The text of columns in an address and in storage; all columns are an empty text. */
export function columnsText(keys: readonly ColumnKey[]): string {
  return COLUMNS.every(({ key }) => key === "managed" || keys.includes(key)) ? "" : keys.join(SEPARATOR);
}

/** The same as columns of a grid, and how wide the table is at least. */
export function gridOf(columns: readonly Column[]): { readonly template: string; readonly leastPx: number } {
  const tracks = columns.map(({ least, share }) => (share === 0 ? `${least}px` : `minmax(${least}px, ${share}fr)`));
  return {
    template: [`${CHECK_PX}px`, ...tracks].join(" "),
    leastPx: CHECK_PX + 2 * PADDING_PX + columns.reduce((sum, { least }) => sum + least, 0),
  };
}

const CHECK_PX = 28;
const PADDING_PX = 24;
