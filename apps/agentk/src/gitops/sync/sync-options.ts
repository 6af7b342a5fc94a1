/** What may be done with objects that bear no inventory's mark, or another one's. */
export type InventoryPolicy = "must_match" | "adopt_if_no_inventory" | "adopt_all";

/** How a project is applied: keys of `gitops.manifest_projects`, with Go's defaults. */
export interface SyncOptions {
  readonly defaultNamespace: string;
  readonly reconcileTimeoutMs: number;
  /** `client`: the manifests are read and put in order, nothing else; `server`: the API server tries everything and keeps nothing. */
  readonly dryRun: "none" | "client" | "server";
  readonly prune: boolean;
  readonly pruneTimeoutMs: number;
  readonly propagation: "orphan" | "background" | "foreground";
  readonly inventoryPolicy: InventoryPolicy;
}
