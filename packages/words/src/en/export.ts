import type { Catalogue } from "../catalogue.ts";

/**
 * What a file that leaves the page says of itself: what it shows, of when, how the page knew it, and what it lacks. Facts: agent, at (a time),
 * cards, count, kinds, names, of, percent, resource, shown, since, total.
 */
export const EXPORT = {
  "export/as-of": "As of {at}",
  "export/as-of/held": "As of {at}, held then by whoever read it",
  "export/connection/live": "Agent {agent} was connected",
  "export/connection/agent-offline": "Agent {agent} has been offline[ since {since}]",
  "export/connection/kas-unreachable": "The agent server has not answered[ since {since}]",
  "export/connection/api-down": "The Kubernetes API behind agent {agent} has not answered[ since {since}]",
  "export/connection/bff-unreachable": "Binnacle itself has not answered[ since {since}]",
  "export/connection/stale": "Nothing had been heard for a while",
  "export/connection/reconnecting": "The connection was being restored",
  "export/connection/connecting": "The connection was being made",
  "export/connection/agent-never-connected": "Agent {agent} has never been connected",
  "export/filter/search": "Search: {names}",
  "export/filter/kind": "Kind: {names}",
  "export/filter/namespace": "Namespace: {names}",
  "export/filter/health": "Health: {names}",
  "export/filter/problems": "Only problems",
  "export/filter/managed": "Managed: {names}",
  "export/filter/edges": "Lines: {names}",
  "export/filter/none": "No filter",
  "export/gap/hidden": "{count:one=# resource is|other=# resources are} hidden by filters",
  "export/gap/folded": "{count:one=# resource is|other=# resources are} folded into {cards:one=# card|other=# cards}",
  "export/gap/forbidden": "{kinds} not visible to you",
  "export/gap/truncated": "{resource}: {shown} of {total} shown",
  "export/gap/truncated-in-part": "{resource}: {shown} shown, not all",
  "export/gap/failed": "{kinds} could not be read",
  "export/gap/reading": "Not every kind had been read yet",
  "export/gap/issues-unsent": "{count:one=# more issue is|other=# more issues are} counted and not named",
  "export/gap/none": "Nothing is left out",
  "export/gaps": "Not in it: {names}",
  "export/png/scaled": "Drawn at {percent} % to stay below {of} megapixels; the SVG has every detail",
  "export/print/cut": "The first {shown} of {total} rows are printed; CSV has all of them",
} as const satisfies Catalogue;
