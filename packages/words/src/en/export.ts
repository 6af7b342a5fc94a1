import type { Catalogue } from "../catalogue.ts";

/** Messages of exported files, in the HTML of a page. */
export const PAGE_EXPORT = {
  "export/not-loaded": "This could not be loaded.",
  "export/export": "Export {subject}",
  "export/button": "Export",
  "export/json-hint": "For programs, with what it lacks",
  "export/csv-hint": "For spreadsheets",
  "export/subject/graph": "graph",
  "export/subject/issues": "issues",
  "export/subject/list": "list",
  "export/subject/events": "events",
  "export/subject/summary": "summary",
} as const satisfies Catalogue;

/** Messages of exported files, loaded with the rest of the language. */
export const VIEW_EXPORT = {
  "export/drawing-title": "{environment}: {count, plural, one {{count} card} other {{count} cards}}",
  "export/failed": "{title} could not be made: {what}.",
  "export/making": "Making {title}",
  "export/unknown-reason": "for an unknown reason",
  "export/of": "{environment} of {project}",
  "export/saved": "Saved {name}.",
  "export/contents": "What is in it",
} as const satisfies Catalogue;

/**
 * Texts of exported files: content, time, state of the connection, and what is missing. Facts: agent, at (a time), cards, count, kinds,
 * names, of, percent, resource, shown, since, total.
 */
export const EXPORT = {
  "export/about": "About this export",
  "export/as-of": "As of {at}",
  "export/as-of/held": "As of {at}, paused by the viewer",
  "export/connection/live": "Agent {agent} was connected",
  "export/connection/agent-offline": "Agent {agent} has been offline{has_since, select, no {} other { since {since}}}",
  "export/connection/kas-unreachable": "kas (agent server) has not answered{has_since, select, no {} other { since {since}}}",
  "export/connection/api-down": "The Kubernetes API behind agent {agent} has not answered{has_since, select, no {} other { since {since}}}",
  "export/connection/bff-unreachable": "Binnacle itself has not answered{has_since, select, no {} other { since {since}}}",
  "export/connection/stale": "Nothing had been received for a while",
  "export/connection/reconnecting": "The connection was being restored",
  "export/connection/connecting": "The connection was being made",
  "export/connection/agent-never-connected": "Agent {agent} has never been connected",
  "export/filter/search": "Search: {names}",
  "export/filter/kind": "Kind: {names}",
  "export/filter/namespace": "Namespace: {names}",
  "export/filter/health": "Health: {names}",
  "export/filter/managed": "Managed: {names}",
  "export/filter/edges": "Lines: {names}",
  "export/filter/around": "Neighbours of {names} ({count, plural, one {{count} step} other {{count} steps}})",
  "export/filter/none": "No filter",
  "export/filters": "Filter: {names}",
  "export/gap/hidden": "{count, plural, one {{count} resource is} other {{count} resources are}} hidden by filters",
  "export/gap/folded":
    "{count, plural, one {{count} resource is} other {{count} resources are}} folded into {cards, plural, one {{cards} card} other {{cards} cards}}",
  "export/gap/forbidden": "{kinds} not visible to you",
  "export/gap/truncated": "{resource}: {shown} of {total} shown",
  "export/gap/truncated-in-part": "{resource}: {shown} shown, not all",
  "export/gap/failed": "{kinds} could not be read",
  "export/gap/reading": "Not every kind had been read yet",
  "export/gap/issues-hidden": "{count, plural, one {{count} issue is} other {{count} issues are}} hidden by filters",
  "export/gap/issues-unsent": "{count, plural, one {{count} more issue is} other {{count} more issues are}} counted and not named",
  "export/gap/none": "Nothing is left out",
  "export/gaps": "Not in it: {names}",
  "export/png/no-room": "the browser has no memory for an image of this size",
  "export/png/scaled": "Drawn at {percent} % to stay below {of} megapixels; the SVG has every detail",
  "export/print/cut": "The first {shown} of {total} rows are printed; CSV has all of them",
} as const satisfies Catalogue;
