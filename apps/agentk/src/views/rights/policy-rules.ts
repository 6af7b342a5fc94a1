import { ruleCovers, type NamespaceRules, type PolicyRule, type ResourceKind } from "@binnacle/kube";

/** Objects of a kind that may be read alone: all of them, or those of some names. */
export type Gettable = true | readonly string[];

/** Whether all objects of a kind may be listed. */
export function mayList({ rules }: NamespaceRules, kind: ResourceKind): boolean {
  return rules.some((rule) => rule.names.length === 0 && allows(rule, "list", kind));
}

/** Which objects of a kind may be read alone. */
export function gettableOf({ rules }: NamespaceRules, kind: ResourceKind): Gettable {
  const allowing = rules.filter((rule) => allows(rule, "get", kind));
  return allowing.some(({ names }) => names.length === 0) || [...new Set(allowing.flatMap(({ names }) => names))].toSorted();
}

function allows(rule: PolicyRule, verb: string, { group, resource }: ResourceKind): boolean {
  return ruleCovers(rule, { verb, group, resource });
}
