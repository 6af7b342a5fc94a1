import type { Catalogue } from "../catalogue.ts";

/** Messages of the server about an overview. */
export const OVERVIEW = {
  "overview/no-group": "There is no group {group}, or you have no access to it.",
} as const satisfies Catalogue;
