import type { Catalogue } from "../../catalogue.ts";

/** What `features/export` says, once it is loaded. */
export const VIEW_EXPORT = {
  "export/could-not-made": "{title} could not be made: {what}.",
  "export/making": "Making {title}",
  "export/nobody-knows-why": "for an unknown reason",
  "export/of": "{environment} of {project}",
  "export/saved": "Saved {name}.",
  "export/what-in": "What is in it",
} as const satisfies Catalogue;
