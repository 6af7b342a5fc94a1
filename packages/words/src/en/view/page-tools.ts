import type { Catalogue } from "../../catalogue.ts";

/** What `features/page-tools` says, once it is loaded. */
export const VIEW_PAGE_TOOLS = {
  "page-tools/copied": "Copied",
  "page-tools/copy-link": "Copy link",
  "page-tools/copy-link-shows": "Copy a link that shows this view",
  "page-tools/link-copied": "Link copied",
} as const satisfies Catalogue;
