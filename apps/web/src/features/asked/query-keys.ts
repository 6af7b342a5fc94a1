/** Keys of everything that is asked rather than streamed. All in one place, so that no two questions have one answer. */
export const queryKeys = {
  /** `ListProjectsResponse`. */
  projects: ["projects"],
  /** `ListHeldResourcesResponse`, of a project. */
  heldResources: (projectPath: string) => ["held-resources", projectPath] as const,
  /** `ListNodePodsResponse`, of a node of the cluster of an environment. */
  nodePods: (of: { readonly projectPath: string; readonly environment: string; readonly node: string }) =>
    ["node-pods", of.projectPath, of.environment, of.node] as const,
  /** `Viewer`, without an identity in a cluster. */
  viewer: ["viewer"],
  /** `SessionInfo`. */
  session: ["session"],
  /** One object for as long as it lives: one that was created anew under its name is another. */
  resource: (of: ResourceIdentity) => ["resource", of.projectPath, of.environment, of.id, of.life] as const,
  /** `CompareManifestResponse`, of one object likewise. */
  manifest: (of: ResourceIdentity) => ["manifest", of.projectPath, of.environment, of.id, of.life] as const,
  /** `GetMetricsResponse`, of one object likewise, or of an environment, with an empty id. */
  metrics: (of: ResourceIdentity, kinds: readonly number[]) =>
    ["metrics", of.projectPath, of.environment, of.id, of.life, kinds.join()] as const,
  /** `ReviewActionsResponse`, of one object likewise. */
  actions: (of: ResourceIdentity) => [...queryKeys.actionsOf(of), of.life] as const,
  /** `ListRevisionsResponse`, of one object likewise. */
  revisions: (of: ResourceIdentity) => [...queryKeys.actions(of), "revisions"] as const,
  /** `OpenEditorResponse`, of what has changed since a document was opened. */
  editorChanges: (of: ResourceIdentity, serial: number) =>
    ["editor-changes", of.projectPath, of.environment, of.id, of.life, serial] as const,
  /** The schema of its kind. */
  schema: (of: ResourceIdentity) => ["schema", of.projectPath, of.environment, of.id, of.life] as const,
  /** Of a resource, whichever object has its name. */
  actionsOf: (of: Omit<ResourceIdentity, "life">) => ["actions", of.projectPath, of.environment, of.id] as const,
  /** `OpenTerminalResponse`, of a pod for as long as it lives; its ticket is not used. */
  terminal: (of: ResourceIdentity) => ["terminal", of.projectPath, of.environment, of.id, of.life] as const,
  /** Of a container of a pod, and whether a debug container can be added for it or runs. */
  debugContainer: (of: {
    readonly projectPath: string;
    readonly environment: string;
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
  }) => ["debug-container", of.projectPath, of.environment, of.namespace, of.pod, of.container] as const,
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
