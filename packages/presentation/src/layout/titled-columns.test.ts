import { expect, test } from "vitest";
import { LANE_COLUMNS } from "./lanes.ts";
import { titledColumns } from "./titled-columns.ts";

const at = (lane: number, column: number, row = 0) => ({ slot: { lane, column, row } });

test("a column has a title where a card stands in it, in each lane by itself, from left to right, with the room up to the next", () => {
  expect(titledColumns([at(1, 2), at(0, 4), at(0, 2), at(0, 2, 1)])).toEqual([
    { title: "ui/workloads", at: 2, room: 2 },
    { title: "resource-graph/column/pods", at: 4, room: LANE_COLUMNS - 2 },
    { title: "ui/workloads", at: LANE_COLUMNS + 2, room: Infinity },
  ]);
  expect(titledColumns([])).toEqual([]);
});
