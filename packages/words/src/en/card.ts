import type { Catalogue } from "../catalogue.ts";

/** Cards of the graph, for who hears them. Facts: numbers of lines. */
export const CARD = {
  "card/lines": "{arriving, plural, one {{arriving} line} other {{arriving} lines}} in, {leaving} out",
} as const satisfies Catalogue;
