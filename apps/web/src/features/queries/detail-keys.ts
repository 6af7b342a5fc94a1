const ofObject = <What extends string>(what: What, { projectPath, environment, id, life }: ResourceIdentity) =>
  [what, projectPath, environment, id, life] as const;

/** Keys of queries that begin when something is opened: of resources, projects and syncs. See `queryKeys`. */
export const detailKeys = {
  /** `ListHeldResourcesResponse`, of a project. */
  heldResources: (projectPath: string) => ["held-resources", projectPath] as const,
  /** `ListNodePodsResponse`, of a node of the cluster of an environment. */
  nodePods: (of: { readonly projectPath: string; readonly environment: string; readonly node: string }) =>
    ["node-pods", of.projectPath, of.environment, of.node] as const,
  /** One object for as long as it lives: one that was created anew under its name is another. */
  resource: (of: ResourceIdentity) => ofObject("resource", of),
  /** `CompareManifestResponse`, of one object likewise. */
  manifest: (of: ResourceIdentity) => ofObject("manifest", of),
  /** `GetMetricsResponse`, of one object likewise, or of an environment, with an empty id. */
  metrics: (of: ResourceIdentity, kinds: readonly number[]) => [...ofObject("metrics", of), kinds.join()] as const,
  /** `ReviewActionsResponse`, of one object likewise. */
  actions: (of: ResourceIdentity) => [...detailKeys.actionsOf(of), of.life] as const,
  /** `ListRevisionsResponse`, of one object likewise. */
  revisions: (of: ResourceIdentity) => [...detailKeys.actions(of), "revisions"] as const,
  /** `OpenEditorResponse`, of what has changed since a document was opened. */
  editorChanges: (of: ResourceIdentity, serial: number) => [...ofObject("editor-changes", of), serial] as const,
  /** The schema of its kind. */
  schema: (of: ResourceIdentity) => ofObject("schema", of),
  /** Of a resource, whichever object has its name. */
  actionsOf: (of: Omit<ResourceIdentity, "life">) => ["actions", of.projectPath, of.environment, of.id] as const,
  /** `OpenTerminalResponse`, of a pod for as long as it lives; its ticket is not used. */
  terminal: (of: ResourceIdentity) => ofObject("terminal", of),
  /** Of a container of a pod, and whether a debug container can be added for it or runs. */
  debugContainer: (of: Omit<ResourceIdentity, "life">, container: string) =>
    [...ofObject("debug-container", { ...of, life: 0 }), container] as const,
  /** `ReviewGitopsResponse`, of one inventory of an environment. */
  gitopsRight: (of: InventoryIdentity) =>
    ["gitops-right", of.projectPath, of.environment, of.inventoryNamespace, of.inventoryName] as const,
} as const;

/** Which inventory of which environment. */
export interface InventoryIdentity {
  readonly projectPath: string;
  readonly environment: string;
  readonly inventoryNamespace: string;
  readonly inventoryName: string;
}

/** Which object of which environment. */
export interface ResourceIdentity {
  readonly projectPath: string;
  readonly environment: string;
  /** Id of its node. */
  readonly id: string;
  readonly life: number;
}
