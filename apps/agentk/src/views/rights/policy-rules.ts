import { fieldsAt, isFields, listAt, type ResourceKind } from "@binnacle/kube";

/** One rule of RBAC, as a SelfSubjectRulesReview tells it. */
interface PolicyRule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all. */
  readonly names: readonly string[];
}

/** What somebody may do in a namespace, as far as the API server lists it. */
export interface NamespaceRules {
  readonly rules: readonly PolicyRule[];
  /** There may be more than it lists: an authorizer cannot list what it allows. */
  readonly incomplete: boolean;
}

/** Objects of a kind that may be read alone: all of them, or those of some names. */
export type Gettable = true | readonly string[];

/**
 * Reads the answer to a SelfSubjectRulesReview; one that says nothing is incomplete.
 *
 * @see Kubernetes API, authorization.k8s.io/v1 SubjectRulesReviewStatus
 */
export function parseRulesReview(answer: unknown): NamespaceRules {
  if (!isFields(answer)) return { rules: [], incomplete: true };
  const status = fieldsAt(answer, "status");
  const rules = listAt(status, "resourceRules").map((rule) => ({
    verbs: textsAt(rule, "verbs"),
    groups: textsAt(rule, "apiGroups"),
    resources: textsAt(rule, "resources"),
    names: textsAt(rule, "resourceNames"),
  }));
  return { rules, incomplete: status["incomplete"] !== false };
}

/** Whether all objects of a kind may be listed. */
export function mayList({ rules }: NamespaceRules, kind: ResourceKind): boolean {
  return rules.some((rule) => rule.names.length === 0 && allows(rule, "list", kind));
}

/** Which objects of a kind may be read alone. */
export function gettableOf({ rules }: NamespaceRules, kind: ResourceKind): Gettable {
  const allowing = rules.filter((rule) => allows(rule, "get", kind));
  return allowing.some(({ names }) => names.length === 0) || [...new Set(allowing.flatMap(({ names }) => names))].toSorted();
}

function allows({ verbs, groups, resources }: PolicyRule, verb: string, { group, resource }: ResourceKind): boolean {
  return names(verbs, verb) && names(groups, group) && names(resources, resource);
}

function names(list: readonly string[], name: string): boolean {
  return list.includes(name) || list.includes("*");
}

function textsAt(rule: unknown, key: string): string[] {
  return isFields(rule) ? listAt(rule, key).filter((entry) => typeof entry === "string") : [];
}
