import type { Catalogue } from "../../catalogue.ts";

/** What `features/environment` says, once it is loaded. */
export const VIEW_ENVIRONMENT = {
  "environment/1-resource": "1 resource",
  "environment/copy-link-what": "Copy a link to what is shown",
  "environment/decisive-fact": "Status detail",
  "environment/endpoints": "Endpoints",
  "environment/graph-show-as": "Graph: show it as a graph",
  "environment/graph-show-as-tree": "Graph: show it as a tree",
  "environment/image": "Image",
  "environment/kind-in": "{kind} in {namespace}",
  "environment/link-copied": "Link copied",
  "environment/more-in-list": "and {count} more, in the list",
  "environment/name": "Name",
  "environment/not-running": "Not running",
  "environment/ready-of": "{count} of {wanted}",
  "environment/replicas-ready": "Replicas ready",
  "environment/resource-count": "{count} resources",
  "environment/show-all-resources": "Show all resources",
  "environment/show-only-problems": "Show only problems",
  "environment/show-the-events": "Show the events",
  "environment/show-the-graph": "Show the graph",
  "environment/show-the-list": "Show the list",
  "environment/show-the-summary": "Show the summary",
  "environment/workloads": "Workloads",
  "environment/workloads-worst-first": "Workloads, worst first",
  "environment/worst-first": "{count} of {total:one=# resource|other=# resources}, worst first",
} as const satisfies Catalogue;
