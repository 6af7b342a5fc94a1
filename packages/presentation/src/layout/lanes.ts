import { LAST } from "./columns.ts";

/** Columns from one lane to the next; the part that no card takes keeps lanes apart. */
export const LANE_COLUMNS = LAST + 1.4;
/** Space between two blocks, in rows. */
export const BLOCK_GAP = 0.3;

/** The part of the screen that a picture is made for, in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** The default room until the page has sent its own. */
export const USUAL_ROOM: Room = { width: 1412, height: 560 };

/** Column and row of comfortable cards in pixels; compact ones have nearly the same shape. */
const COLUMN_PX = 284;
const ROW_PX = 92;
const MAX_LANES = 100;

/**
 * How high a lane may be, so that blocks of these heights, one below the other and then in further lanes, can be shown as large as possible
 * in the room. Lanes beside each other are of about one height: the only holes are at their ends.
 *
 * @param rows height of every block, in their order
 */
export function rowsPerLane(rows: readonly number[], room: Room): number {
  let best = { zoom: 0, rows: Infinity };
  for (let lanes = 1; lanes <= Math.min(MAX_LANES, rows.length); lanes += 1) {
    const across = room.width / ((lanes * LANE_COLUMNS - 0.4) * COLUMN_PX);
    if (across <= best.zoom) break;
    const height = lowest(rows, lanes);
    const zoom = Math.min(1, across, room.height / (height * ROW_PX));
    if (zoom > best.zoom) best = { zoom, rows: height };
    if (zoom === 1) break;
  }
  return best.rows;
}

/** The smallest height with which the blocks fit into so many lanes, to a tenth of a row. */
function lowest(rows: readonly number[], lanes: number): number {
  const total = rows.reduce((sum, each) => sum + each + BLOCK_GAP, 0);
  let [low, high] = [Math.max(total / lanes - BLOCK_GAP, ...rows), total];
  if (lanesOf(rows, low) <= lanes) return low;
  while (high - low > 0.1) {
    const middle = (low + high) / 2;
    if (lanesOf(rows, middle) <= lanes) high = middle;
    else low = middle;
  }
  return high;
}

function lanesOf(rows: readonly number[], height: number): number {
  let lanes = 1;
  let at = 0;
  for (const each of rows) {
    if (at > 0 && at + each > height) {
      lanes += 1;
      at = 0;
    }
    at += each + BLOCK_GAP;
  }
  return lanes;
}
