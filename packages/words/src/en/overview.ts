import type { Catalogue } from "../catalogue.ts";

/** Messages of the server about an overview. */
export const OVERVIEW = {
  "overview/no-group": "There is no group {group}, or you have no access to it.",
} as const satisfies Catalogue;

/** Messages of the overview, in the HTML of a page. */
export const PAGE_OVERVIEW = {
  "overview/title": "Overview",
  "overview/title-of": "Overview of {group}",
  "overview/loading": "Loading environments of all projects",
} as const satisfies Catalogue;

/** Messages of the overview, loaded with the rest of the language. */
export const VIEW_OVERVIEW = {
  "overview/and-images": "{images}, and {more} more",
  "overview/attention": "Needs attention",
  "overview/changed": "Changed in the last 24 h",
  "overview/count-of-known": "{known} of {all} environments known",
  "overview/count-so-far": "{known} of {all} environments known so far; {read} of {projects} projects read",
  "overview/different-version": "Different version than {base}",
  "overview/distance":
    "{ahead, plural, =0 {} one {{ahead} commit ahead of {base}} other {{ahead} commits ahead of {base}}}{both, select, yes {, } other {}}{behind, plural, =0 {} one {{behind} commit behind {base}} other {{behind} commits behind {base}}}",
  "overview/distance-at-least": "At least: {distance}",
  "overview/empty": "No environments yet",
  "overview/empty-hint": "An environment appears here with the first deployment to it in one of your projects.",
  "overview/failed-projects": "{count, plural, one {{count} project} other {{count} projects}} cannot be read now",
  "overview/find": "Find a project, environment, agent or version",
  "overview/group-by": "Group by",
  "overview/group/agent": "Agent (cluster)",
  "overview/group/group": "Group",
  "overview/group/none": "Nothing",
  "overview/group/owner": "Owner group",
  "overview/image-since": "{image}, running since {at}",
  "overview/matrix": "Matrix",
  "overview/more-in-cell": "+{count}",
  "overview/more-projects": "You have more projects than are read here. Open a group to see all of its projects.",
  "overview/no-agent": "Without an agent",
  "overview/no-tier": "Other",
  "overview/none-match": "No environment matches the filters",
  "overview/not-connected": "Connection lost {at}; trying again",
  "overview/save-view": "Save this view as",
  "overview/see-all": "All environments of {project}",
  "overview/visible": "{visible} of {all} environments visible to you",
  "overview/views": "Views of the overview",
  "overview/wall": "Wall mode",
  "overview/wall-close": "Leave wall mode (Escape)",
  "overview/wall-of": "Problem {index} of {count}",
  "overview/wall-ok": "No environment needs attention",
  "overview/wall-unknown": "No known environment needs attention; {count} are not known",
} as const satisfies Catalogue;
