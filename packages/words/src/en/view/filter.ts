import type { Catalogue } from "../../catalogue.ts";

/** What `features/filter` says, once it is loaded. */
export const VIEW_FILTER = {
  "filter/find-resources": "Find resources",
  "filter/health": "Health",
  "filter/kind": "Kind",
  "filter/only-problems": "Only problems",
  "filter/resources": "Resources",
  "filter/namespace": "Namespace",
} as const satisfies Catalogue;
