import type { Catalogue } from "../catalogue.ts";

/** Messages of environments that come and go, in the HTML of a page. */
export const PAGE_DYNAMIC_ENVIRONMENTS = {
  // features/environments/dynamic
  "dynamic/folder": "{folder}, {environments}",
  "dynamic/matching": "{count} of {size} match",
  "dynamic/count-of-status": "{count} {status}",
  "dynamic/out-of-date": "{count} out of date",
  "dynamic/agents": "{count} agents",
  "dynamic/without-agent": "{count} without an agent",
  "dynamic/agent-gone": "Agent gone",
  "dynamic/agent-not-known": "No agent known",
  "dynamic/stops-in": "stops in {age}",
  "dynamic/stops-at": "stops {at}",
  "dynamic/stop-due": "stop is due",
  "dynamic/stopping": "stopping",
  "dynamic/left": "Left the list: {names}{has_more, select, no {} other { and {more} more}}",
  "dynamic/left-stopped": "{name} stopped {ago}",
  "dynamic/left-gone": "{name} stopped or deleted {ago}",
} as const satisfies Catalogue;
