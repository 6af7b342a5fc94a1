import type { Catalogue } from "../../catalogue.ts";

/** What `features/projects` says, once it is loaded. */
export const VIEW_PROJECTS = {
  "projects/project": "Project",
} as const satisfies Catalogue;
