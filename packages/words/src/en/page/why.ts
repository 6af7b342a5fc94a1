import type { Catalogue } from "../../catalogue.ts";

/** What `features/why` says, as soon as the page is there. */
export const PAGE_WHY = {
  "why/and": "{names} and {last}",
  "why/and-more": "and {count} more;",
  "why/and-more-2": "and {count} more",
  "why/before": "{clock}, {age} before",
  "why/change-before-it": "Change before it:",
  "why/environment": "Environment",
  "why/event-of": "event of",
  "why/from-resource-root": "From the resource to the root reason",
  "why/more": "{rest} more",
  "why/newest-first": ", newest first",
  "why/next-step": "Next step:",
  "why/not-known-yet": "Not known yet: resources are still being read",
  "why/notice": "Notice",
  "why/open-list-filtered": "open the list filtered by {wordsOfFilter}",
  "why/resources": "{membersTotal} resources",
  "why/root-reason": "Root reason:",
  "why/show-in-graph": "Show in graph",
  "why/show-more-issue": "Show {more} more {more:one=issue|other=issues}",
  "why/since": " since {at}",
  "why/since-2": "since {at}",
  "why/so-far": " so far",
  "why/why": "Why",
  "why/worst-first": ", worst first",
} as const satisfies Catalogue;
