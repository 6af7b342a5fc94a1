import type { ResourceKind } from "@binnacle/kube";

import type { ViewScope } from "../scope/view-scope.ts";
import { kindId, kindsInScope } from "../scope/kind-plan.ts";

/** One kind in one namespace that a view reads. */
export interface PlannedSource {
  /** "group/resource/namespace". */
  readonly id: string;
  readonly kind: ResourceKind;
  /** Empty for all namespaces, and for cluster scope. */
  readonly namespace: string;
  /**
   * `scope`: its objects are what the view shows. `context`: cluster-wide objects that rules read, when the viewer may; when not, they are
   * not known, and that is no gap.
   */
  readonly role: "scope" | "context";
}

/** Cluster-wide kinds that rules and why-chains ask about. */
const CONTEXT: ReadonlySet<string> = new Set(["/nodes", "/persistentvolumes", "storage.k8s.io/storageclasses"]);

/** What is read for a scope, in the order in which watches are given away when there are few. */
export function planSources(kinds: readonly ResourceKind[], scope: ViewScope): PlannedSource[] {
  const namespaces = scope.namespaces.length === 0 ? [""] : [...new Set(scope.namespaces)];
  const inScope = kindsInScope(kinds).flatMap((kind) => namespaces.map((namespace) => planned(kind, namespace, "scope")));
  const context = kinds.filter((kind) => !kind.namespaced && kind.verbs.includes("list") && CONTEXT.has(kindId(kind)));
  return [...inScope, ...context.map((kind) => planned(kind, "", "context"))];
}

function planned(kind: ResourceKind, namespace: string, role: PlannedSource["role"]): PlannedSource {
  return { id: `${kindId(kind)}/${namespace}`, kind, namespace, role };
}
