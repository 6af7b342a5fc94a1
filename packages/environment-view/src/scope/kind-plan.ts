import { hasHealthRule, isCustomGroup } from "@binnacle/health";
import type { ResourceKind } from "@binnacle/kube";

/** Watched from the start, in the order in which watches are given away when there are few (docs/design/view.md "What is watched"). */
const CORE: readonly string[] = [
  "/pods",
  "apps/deployments",
  "apps/replicasets",
  "/events",
  "apps/statefulsets",
  "/services",
  "discovery.k8s.io/endpointslices",
  "batch/jobs",
  "apps/daemonsets",
  "networking.k8s.io/ingresses",
  "batch/cronjobs",
  "autoscaling/horizontalpodautoscalers",
  "/persistentvolumeclaims",
  "policy/poddisruptionbudgets",
  "/configmaps",
  "/secrets",
  "/serviceaccounts",
];

/** Twins of a kind that is shown already, and book-keeping of controllers. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "events.k8s.io/events",
  "coordination.k8s.io/leases",
  "coordination.k8s.io/leasecandidates",
  "apps/controllerrevisions",
  "extensions/ingresses",
  "metrics.k8s.io/pods",
  // Mirrored in EndpointSlices, and deprecated since Kubernetes 1.33.
  "/endpoints",
  // Free space that storage drivers report, which nothing of an environment refers to.
  "storage.k8s.io/csistoragecapacities",
]);

/** "group/resource": names a kind whatever its version. */
export function kindId(kind: Pick<ResourceKind, "group" | "resource">): string {
  return `${kind.group}/${kind.resource}`;
}

/** Kinds in scope, core first: namespaced, listable, not left out. */
export function kindsInScope(kinds: readonly ResourceKind[]): ResourceKind[] {
  const inScope = kinds.filter((kind) => kind.namespaced && kind.verbs.includes("list") && !LEFT_OUT.has(kindId(kind)));
  const rank = (kind: ResourceKind): number => {
    const index = CORE.indexOf(kindId(kind));
    return index < 0 ? CORE.length : index;
  };
  return inScope.sort((a, b) => rank(a) - rank(b));
}

/** Whether a kind is listed and watched without a probe. */
export function isCore(kind: ResourceKind): boolean {
  return CORE.includes(kindId(kind));
}

/** Whether a roll-up without this kind is partial (docs/design/view.md "Partial"). */
export function countsForHealth(kind: Pick<ResourceKind, "group" | "kind">): boolean {
  return isCustomGroup(kind.group) || hasHealthRule(kind.group, kind.kind);
}

/** Secrets are only ever read as metadata. */
export function isMetadataOnly(kind: Pick<ResourceKind, "group" | "resource">): boolean {
  return kindId(kind) === "/secrets";
}
