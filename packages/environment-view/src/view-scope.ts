/** Which part of a cluster a view shows. */
export interface ViewScope {
  /** Namespaces that are read; an empty list: all of them. */
  readonly namespaces: readonly string[];
}
