import type { LabelSelector, ManagedBy } from "@binnacle/graph";

import type { ScopeRules } from "./scope-rules.ts";

/** Which part of a cluster a view shows. */
export interface ViewScope {
  /** Namespaces that are read; an empty list: all of them. */
  readonly namespaces: readonly string[];
  /** Only objects with these labels, and what they own. */
  readonly labels?: LabelSelector;
  /** Only objects of this inventory, and what they own, wherever in the namespaces it lives. */
  readonly inventory?: ManagedBy;
  /** Rules that hold here alone: the same part of the cluster under other rules is another scope, of the same objects. */
  readonly rules?: ScopeRules;
}
