import type { Catalogue } from "../../catalogue.ts";

/** What `features/live` says, as soon as the page is there. */
export const PAGE_LIVE = {
  "live/kinds-every": "{count, plural, one {{count} kind} other {{count} kinds}}{has_every, select, no {} other { {every}}}",
  "live/as-of": "as of {at}",
  "live/kinds-as-of":
    "{names}{has_more, select, no {} other { and {more} more kinds}} as of {at}{has_every, select, no {} other {, {every}}}",
  "live/kind-as-of": "as of {at}{has_every, select, no {} other {, {every}}}",
  "live/held-as-of": "paused, as of {at}",
  "live/later": "Later",
  "live/new-version-binnacle": "A new version of Binnacle is there.",
  "live/reload": "Reload",
} as const satisfies Catalogue;
