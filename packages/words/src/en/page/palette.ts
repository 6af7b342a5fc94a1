import type { Catalogue } from "../../catalogue.ts";

/** What `features/palette` says, as soon as the page is there. */
export const PAGE_PALETTE = {
  "palette/go-or-do": "Search or run a command",
} as const satisfies Catalogue;
