import type { Catalogue } from "../../catalogue.ts";

/** What `features/palette` says, once it is loaded. */
export const VIEW_PALETTE = {
  "palette/kind-in-environment": "{kind} in {environment}",
  "palette/not-listed": "{count, plural, one {{count} more resource is} other {{count} more resources are}} not listed.",
  "palette/not-searched":
    "Not searched, as the server holds no resources of them: {names}{has_more, select, no {} other { and {more} more}}.",
  "palette/group/recent": "Recent",
  "palette/group/resources": "Resources",
  "palette/group/kinds": "Kinds",
  "palette/group/projects": "Projects",
  "palette/group/environments": "Environments",
  "palette/group/actions": "Actions",
} as const satisfies Catalogue;
