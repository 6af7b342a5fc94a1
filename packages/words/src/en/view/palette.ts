import type { Catalogue } from "../../catalogue.ts";

/** What `features/palette` says, once it is loaded. */
export const VIEW_PALETTE = {
  "palette/group/recent": "Recent",
  "palette/group/resources": "Resources",
  "palette/group/kinds": "Kinds",
  "palette/group/projects": "Projects",
  "palette/group/environments": "Environments",
  "palette/group/actions": "Actions",
} as const satisfies Catalogue;
