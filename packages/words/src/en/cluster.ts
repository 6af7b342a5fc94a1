import type { Catalogue } from "../catalogue.ts";

/** Health of what belongs to the cluster itself. Facts: condition. */
export const CLUSTER = {
  "node/not-reported-ready": "The node does not report that it is ready",
  "node/reports": "The node reports {condition}",
  "node/takes-no-pods": "The node is cordoned: it takes no new pods",
  "node/ready": "The node is ready",
  "namespace/active": "The namespace is active",
  "namespace/terminating": "The namespace is being removed",
  "api-service/available": "The API is available",
  "api-service/waiting": "Waiting for the API to become available",
  "custom-resource-definition/terminating": "The definition is being removed",
  "custom-resource-definition/established": "The kind is served",
  "custom-resource-definition/installing": "The kind is not served yet",
} as const satisfies Catalogue;
