import type { Catalogue } from "../../catalogue.ts";

/** What `features/resource-list` says, once it is loaded. */
export const VIEW_RESOURCE_LIST = {
  "resource-list/created-by-controllers": "Created by controllers, {manager}",
  "resource-list/age": "Age",
  "resource-list/all": "All",
  "resource-list/applied-directly": "From Git",
  "resource-list/clear-filters": "Clear filters",
  "resource-list/created": "Created",
  "resource-list/foreign": "Not from Git",
  "resource-list/manager-generated": "Created by controllers",
  "resource-list/group-by-kind": "Group by kind",
  "resource-list/health": "Health",
  "resource-list/images": "Images",
  "resource-list/kind": "Kind",
  "resource-list/managed": "Managed",
  "resource-list/managed-by": "Managed by",
  "resource-list/name": "Name",
  "resource-list/no-resource-matches": "No resource matches. {total} hidden by filters.",
  "resource-list/not-visible": "Not visible",
  "resource-list/of-resources": "{shown} of {total} resources",
  "resource-list/owner": "Owner",
  "resource-list/ready": "Ready",
  "resource-list/resources": "Resources",
  "resource-list/resource-count": "{total} resources",
  "resource-list/restarts": "Restarts",
  "resource-list/namespace": "Namespace",
} as const satisfies Catalogue;
