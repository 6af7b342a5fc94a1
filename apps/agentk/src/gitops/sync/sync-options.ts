/** What may be done with objects that bear no inventory's mark, or another one's. */
export type InventoryPolicy = "must_match" | "adopt_if_no_inventory" | "adopt_all";

/**
 * Which error in the manifests stops all of a commit: a file that cannot be read, any that is known before the first object is applied, or none.
 * Whatever is left out, nothing is pruned.
 */
export type StopOn = "unreadable_file" | "any_error" | "nothing";

/** How a project is applied: keys of `gitops.manifest_projects` in `config.yaml` and `binnacle.yaml`, with Go's defaults. */
export interface SyncOptions {
  readonly defaultNamespace: string;
  readonly reconcileTimeoutMs: number;
  /** `client`: the manifests are read and put in order, nothing else; `server`: the API server tries everything and keeps nothing. */
  readonly dryRun: "none" | "client" | "server";
  readonly prune: boolean;
  readonly pruneTimeoutMs: number;
  readonly propagation: "orphan" | "background" | "foreground";
  readonly inventoryPolicy: InventoryPolicy;
  /** Fields that belong to other managers are taken from them. */
  readonly forceConflicts: boolean;
  readonly stopOn: StopOn;
  /** What becomes of objects that were changed in the cluster after their commit was applied; `ignore`: nothing, and they are not compared. */
  readonly drift: "correct" | "show" | "ignore";
  /** Objects that a commit may have. */
  readonly maxObjects: number;
}
