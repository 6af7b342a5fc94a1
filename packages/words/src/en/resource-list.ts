import type { Catalogue } from "../catalogue.ts";

/** Messages of lists of resources, their filters and saved views, loaded with the rest of the language. */
export const VIEW_RESOURCE_LIST = {
  // features/resource-list
  "resource-list/created-by-controllers": "Created by controllers, {manager}",
  "resource-list/applied-directly": "From Git",
  "resource-list/foreign": "Not from Git",
  "resource-list/manager-generated": "Created by controllers",
  "resource-list/group-by-kind": "Group by kind",
  "resource-list/managed": "Managed",
  "resource-list/managed-by": "Managed by",
  "resource-list/no-resource-matches": "No resource matches. {total} hidden by filters.",
  "resource-list/not-visible": "Not visible",
  "resource-list/of-resources": "{shown} of {total} resources",
  "resource-list/ready": "Ready",
  // features/filter
  "filter/find-resources": "Find resources",
  "filter/only-problems": "Only problems",
  // features/saved-views
  "saved-views/another-name-for": "Another name for {name}",
  "saved-views/browser-keeps-nothing": "{done} This browser keeps nothing for this site: it is gone with this page.",
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

/** Messages about lists of resources, their filters and saved views. */
export const RESOURCE_LIST = {
  // Search, and actions on its results. Facts: at, count, hidden, total, what.
  "find/clear": "Clear the search",
  "find/hits": "{at} of {total}",
  "find/hits/none-yet": "{total, plural, one {{total} match} other {{total} matches}}",
  "find/no-match": "No match for “{what}”",
  "find/hidden": "{count} hidden by filters",
  "find/hidden/clear": "Clear",
  "find/chosen": "{count} chosen{has_hidden, select, no {} other {, {hidden} not shown}}",
  "find/chosen/kubectl": "Copy as kubectl",
  "find/chosen/names": "Copy names",
  "find/chosen/none": "Choose nothing",
  "find/chosen/region": "What is chosen",
  "find/columns": "Columns",
  "find/density": "Density",
  "find/density/comfortable": "Comfortable",
  "find/density/compact": "Compact",
  "find/held": "Sort again",
  "find/held/why": "The order stays as it is while you are in the list",
  "find/palette/field": "Resource, kind, environment or action",
  "find/palette/more": "{count} more: type on",
  "find/palette/none": "Nothing is called “{what}”",
  "find/palette/number": "{total, plural, one {{total} result} other {{total} results}}",
  // Truncated lists.
  "list/more": "{names} and {more} more",
} as const satisfies Catalogue;
