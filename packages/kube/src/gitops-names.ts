/**
 * Annotation of an inventory: the commit (its full id) that may prune more than a sync may by itself. It holds for that commit only. Who may
 * `patch` the ConfigMap may consent.
 */
export const PRUNE_CONSENT = "gitops.binnacle/prune-consent";

/** Annotation of an inventory: "true" stops syncs of the project until it is taken away. */
export const PAUSED = "gitops.binnacle/paused";

/** Annotation of an inventory: whatever it says, there is a sync at once when it says something else. */
export const SYNC_REQUESTED = "gitops.binnacle/sync-requested";

/** Field manager that agentk applies manifests as, the one of Go's agentk: what that has applied is taken over without a conflict. */
export const GITOPS_FIELD_MANAGER = "agentk";
