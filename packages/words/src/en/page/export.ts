import type { Catalogue } from "../../catalogue.ts";

/** What `features/export` says, as soon as the page is there. */
export const PAGE_EXPORT = {
  "export/could-not-loaded": "This could not be loaded.",
  "export/export": "Export {subject}",
  "export/button": "Export",
  "export/for-programs-with": "For programs, with what it lacks",
  "export/for-spreadsheets": "For spreadsheets",
  "export/loading": "Loading",
  "export/try-again": "Try again",
  "export/subject/graph": "graph",
  "export/subject/issues": "issues",
  "export/subject/list": "list",
  "export/subject/events": "events",
  "export/subject/summary": "summary",
} as const satisfies Catalogue;
