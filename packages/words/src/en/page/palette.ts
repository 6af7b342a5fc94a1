import type { Catalogue } from "../../catalogue.ts";

/** What `features/palette` says, as soon as the page is there. */
export const PAGE_PALETTE = {
  "palette/go-or-do": "Go to or do",
} as const satisfies Catalogue;
