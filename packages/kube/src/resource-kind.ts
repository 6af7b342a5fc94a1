/** One kind that an API server serves. */
export interface ResourceKind {
  /** API group, empty for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural name in URLs. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Names after the slash: "status", "scale", "log". */
  readonly subresources: readonly string[];
  readonly shortNames: readonly string[];
}

/** A kind of namespaces, as far as paths of its objects need it; what else an API server serves of it is left out. */
export function namespacedKind(kind: Pick<ResourceKind, "group" | "version" | "kind" | "resource">): ResourceKind {
  return { ...kind, namespaced: true, verbs: [], subresources: [], shortNames: [] };
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}

/** API group of an `apiVersion`, empty for core. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

/** Version of an `apiVersion`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}
