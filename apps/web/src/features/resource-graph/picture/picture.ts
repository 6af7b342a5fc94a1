import type { DrawnGraph } from "@binnacle/presentation/drawing/drawn-graph";
import type { LayoutState } from "./layout-runner.ts";

/** The picture as of the last answer of the layout. Replaced as a whole; the maps inside are not copied. */
export interface Picture extends DrawnGraph {
  readonly total: number;
  readonly open: readonly string[];
  /** Raised by every answer; 0 before the first. */
  readonly version: number;
  /** Raised when everything was laid out anew. */
  readonly layoutVersion: number;
  /** Cards of resources that are new since the answer before; empty when everything was laid out anew. */
  readonly arrived: readonly string[];
  /** Whether cards that were there made room for others. */
  readonly moved: boolean;
  /** Whether the picture follows the environment; if not it stands still. */
  readonly layout: LayoutState;
}

/** Of every style none. */
export const NO_COUNTS = { owns: 0, routes: 0, uses: 0, binds: 0, governs: 0, dangling: 0 };

/** Nothing was drawn yet. */
export const NO_PICTURE: Picture = {
  cards: new Map(),
  edges: new Map(),
  total: 0,
  hidden: 0,
  edgeCounts: NO_COUNTS,
  open: [],
  arrived: [],
  moved: false,
  version: 0,
  layoutVersion: 0,
  layout: "answering",
};
