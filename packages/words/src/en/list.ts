import type { Catalogue } from "../catalogue.ts";

/** Lists that are cut. */
export const LIST = {
  "list/more": "{names} and {more} more",
} as const satisfies Catalogue;
