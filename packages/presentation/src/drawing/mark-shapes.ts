import type { WordsId } from "@binnacle/words";

import type { LineMark } from "../layout/graph-input.ts";

/** What a mark says, in the legend and to those who do not see it. */
export const MARK_WORDS: Readonly<Record<LineMark, WordsId>> = {
  missing: "resource/does-not-exist",
  refused: "resource-graph/refused",
  port: "resource-graph/no-such-port",
  idle: "resource-graph/no-traffic",
};

/** Each of another shape, around the origin, ten wide. */
export const MARK_SHAPES: Readonly<Record<LineMark, string>> = {
  missing: "M-4 -4l8 8m0-8l-8 8",
  refused: "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0M-3.5 3.5l7-7",
  port: "M0-5L5.5 4.5H-5.5zM0-2V1.5M0 3v.1",
  idle: "M-2-4.5v9M2-4.5v9",
};
