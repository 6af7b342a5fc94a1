/**
 * Annotation of an inventory: the commit (its full id) that may prune more than a sync may by itself. It holds for that commit only. Who may
 * `patch` the ConfigMap may consent.
 */
export const PRUNE_CONSENT = "gitops.binnacle/prune-consent";

/** Annotation of an inventory: "true" stops syncs of the project until it is removed. */
export const PAUSED = "gitops.binnacle/paused";

/** Annotation of an inventory: why syncs are paused, one line of at most 200 characters. */
export const PAUSED_REASON = "gitops.binnacle/paused-reason";

/** Annotation of an inventory: any change of its value starts a sync at once. */
export const SYNC_REQUESTED = "gitops.binnacle/sync-requested";

/** Annotation of an inventory: the line of an object that agentk applies once with force; agentk removes it afterwards. */
export const TAKE_OVER = "gitops.binnacle/take-over";

/** Annotation of an inventory: fields that stay as others have written them, as `parseKeptFields` reads it. */
export const KEPT_FIELDS = "gitops.binnacle/kept-fields";

/** Field manager that agentk applies manifests as, the one of Go's agentk: what that has applied is taken over without a conflict. */
export const GITOPS_FIELD_MANAGER = "agentk";
