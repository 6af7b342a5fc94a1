import type { Catalogue } from "../../catalogue.ts";

/** What `features/saved-views` says, once it is loaded. */
export const VIEW_SAVED_VIEWS = {
  "saved-views/another-name-for": "Another name for {name}",
  "saved-views/browser-keeps-nothing": "{done} This browser keeps nothing for this site: it is gone with this page.",
  "saved-views/delete": "Delete",
  "saved-views/kept-in-browser": "Kept in this browser, for you alone. It works in every environment of the project.",
  "saved-views/name-view": "Name of this view",
  "saved-views/rename": "Rename",
  "saved-views/save": "Save",
  "saved-views/saved-views": "Saved views",
  "saved-views/team": "Team",
  "saved-views/views": "Views",
  "saved-views/views-team": "Views of the team",
  "saved-views/your-views": "Your views",
  "saved-views/yours": "Yours",
  "saved-views/saved": "Saved “{name}”.",
  "saved-views/renamed": "Renamed to “{name}”.",
  "saved-views/deleted": "Deleted “{name}”.",
} as const satisfies Catalogue;
