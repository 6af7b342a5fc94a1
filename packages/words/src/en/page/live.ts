import type { Catalogue } from "../../catalogue.ts";

/** What `features/live` says, as soon as the page is there. */
export const PAGE_LIVE = {
  "live/and-more-kinds": " and {count} more kinds",
  "live/as-of": "as of {at}",
  "live/kinds-as-of": "{names}{more} as of {at}{every}",
  "live/kind-as-of": "as of {at}{every}",
  "live/held-as-of": "paused, as of {at}",
  "live/later": "Later",
  "live/new-version-binnacle": "A new version of Binnacle is there.",
  "live/reload": "Reload",
} as const satisfies Catalogue;
