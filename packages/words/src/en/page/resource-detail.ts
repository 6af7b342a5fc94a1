import type { Catalogue } from "../../catalogue.ts";

/** What `features/resource-detail` says, as soon as the page is there. */
export const PAGE_RESOURCE_DETAIL = {
  "resource-detail/close": "Close",
  "resource-detail/copy-link": "Copy link",
  "resource-detail/details": "Details",
  "resource-detail/tab-logs": "Logs",
  "resource-detail/tab-events": "Events",
  "resource-detail/tab-terminal": "Terminal",
  "resource-detail/last-picture-yaml":
    "Last known state, of {at}. YAML, conditions and events are not available while the cluster is unavailable.",
  "resource-detail/link-copied": "Link copied",
  "resource-detail/loading-details": "Loading details",
  "resource-detail/tab-manifest": "Manifest",
  "resource-detail/no-such-resource":
    "This resource is not in this view: it was deleted or renamed, or belongs to another environment. Close the details and search the list.",
  "resource-detail/not-known-yet": "Not known yet: the view is still loading.",
  "resource-detail/overview": "Overview",
  "resource-detail/relations": "Relations",
  "resource-detail/resource": "Resource",
  "resource-detail/resources-kind-not":
    "Resources of this kind are not visible to you. Access at the top of the page says which rule is missing.",
  "resource-detail/the-details": "The details",
  "resource-detail/there-no-watch": "{replace}: there is no watch for this kind.",
  "resource-detail/width-details": "Width of the details",
  "resource-detail/tab/yaml": "YAML",
  "resource-detail/where": "{kind}{has_namespace, select, no {} other { in {namespace}}}",
  "resource-detail/named": "{kind} {name}",
} as const satisfies Catalogue;
