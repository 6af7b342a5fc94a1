import type { Catalogue } from "../../catalogue.ts";

/** What `features/live` says, as soon as the page is there. */
export const PAGE_LIVE = {
  "live/and-more-kinds": " and {count} more kinds",
  "live/as-of": "as of {at}",
  "live/as-of-2": "{names}{more} as of {at}{every}",
  "live/as-of-3": "as of {at}{every}",
  "live/held-as-of": "held, as of {at}",
  "live/later": "Later",
  "live/new-version-binnacle": "A new version of Binnacle is there.",
  "live/reload": "Reload",
} as const satisfies Catalogue;
