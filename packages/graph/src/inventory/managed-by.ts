/** Tools that apply objects and keep an account of them. */
export type InventoryTool = "cli-utils" | "flux-kustomization" | "flux-helmrelease" | "argocd" | "helm";

/** One inventory. */
export interface ManagedBy {
  readonly tool: InventoryTool;
  /**
   * cli-utils: the inventory id. Flux and Helm: `namespace/name` of the Kustomization, HelmRelease or release. Argo CD: the
   * Application as its marks call it: `name`, or `namespace_name` when it lives outside Argo CD's own namespace.
   */
  readonly name: string;
}
