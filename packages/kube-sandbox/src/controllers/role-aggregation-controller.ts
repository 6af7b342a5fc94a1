import { canonicalText, isSame, listIn, valueIn } from "../json-tree.ts";
import { matcherOf } from "../label-selector.ts";
import type { Cluster } from "./cluster.ts";
import type { Controller } from "./controller-loop.ts";

const ROLES = "rbac.authorization.k8s.io/clusterroles";

/** Fills the rules of ClusterRoles that aggregate others by label. */
export function roleAggregationController(cluster: Cluster): Controller {
  return {
    name: "clusterrole-aggregation-controller",
    watches: {
      [ROLES]: () =>
        cluster
          .list(ROLES)
          .filter((role) => role["aggregationRule"] !== undefined)
          .map((role) => ({ namespace: undefined, name: role.metadata.name })),
    },
    reconcile({ name }) {
      const role = cluster.get(ROLES, undefined, name);
      if (!role || role["aggregationRule"] === undefined) return undefined;
      const selectors = listIn(role, "aggregationRule", "clusterRoleSelectors").map(matcherOf);
      const sources = cluster
        .list(ROLES)
        .filter((one) => one.metadata.name !== name && selectors.some((matches) => matches(one.metadata.labels)))
        .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
      const rules = new Map(sources.flatMap((one) => listIn(one, "rules").map((rule) => [canonicalText(rule), rule] as const)));
      const next = [...rules.values()];
      if (!isSame(valueIn(role, "rules"), next)) cluster.update(ROLES, { ...role, rules: next });
      return undefined;
    },
  };
}
