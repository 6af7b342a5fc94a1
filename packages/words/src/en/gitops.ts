import type { Catalogue } from "../catalogue.ts";

/** Why nothing is asked of a sync of manifests. Facts: namespace and name of a ConfigMap, environment, verb. */
export const GITOPS = {
  "gitops/may-not": "the cluster does not let you {verb} ConfigMap {namespace}/{name}",
  "gitops/no-inventory": "ConfigMap {namespace}/{name} is not the inventory of a sync of {environment}",
  "gitops/not-marked": "ConfigMap {namespace}/{name} does not bear the mark of the inventory that the agent reported",
  "gitops/nothing-held": "nothing waits for consent to this commit any more",
  "gitops/object-not-in-inventory": "the inventory does not list this object",
  "gitops/too-many-kept": "at most {count} fields can be kept; undo one, or commit the change",
  "gitops/not-told": "kas does not report what the agent of {environment} applies",
} as const satisfies Catalogue;
