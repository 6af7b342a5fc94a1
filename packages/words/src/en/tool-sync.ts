import type { Catalogue } from "../catalogue.ts";

/** Why nobody can say how another tool's sync stands. */
export const TOOL_SYNC = {
  "tool-sync/leaving": "It is being deleted",
  "tool-sync/not-observed": "Its status is of an older specification",
  "tool-sync/silent": "Its status does not report a sync result",
  "tool-sync/half": "What it tried last is not what it applied last",
  "tool-sync/unread": "It has not been read yet",
  "tool-sync/without-view": "Its state is read while a page of the environment is open",
  "tool-sync/unreadable": "{kind} {place} could not be read",
  "tool-sync/forbidden": "You may not read {kind} {place}",
  "tool-sync/absent": "There is no {kind} {place}",
  "tool-sync/unserved": "The cluster does not serve {kind} of {group}",
} as const satisfies Catalogue;
