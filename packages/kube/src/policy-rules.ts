import { fieldsAt, isFields, listAt, textAt } from "./loose-json.ts";

/** One rule of RBAC, as a SelfSubjectRulesReview lists it. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all. */
  readonly names: readonly string[];
}

/** The rights of a user in a namespace, as far as the API server lists them. */
export interface NamespaceRules {
  readonly rules: readonly PolicyRule[];
  /** There may be more than it lists: an authorizer cannot list what it allows. */
  readonly incomplete: boolean;
  /** What the API server could not evaluate; absent: nothing. */
  readonly error?: string;
}

/**
 * Reads the answer to a SelfSubjectRulesReview; one without a statement is incomplete.
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
  const error = textAt(status, "evaluationError");
  return { rules, incomplete: status["incomplete"] !== false, ...(error !== "" && { error }) };
}

/** What a rule is compared with: a verb on a resource, or on a subresource of it. */
export interface RequestedRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Empty or absent: the resource itself. */
  readonly subresource?: string;
}

/**
 * Whether a rule allows something for the objects that it names. The resource `*` stands for all resources with their subresources, and a star
 * before a slash and a subresource for that subresource of all resources.
 *
 * @see Kubernetes documentation, "Using RBAC Authorization", "Referring to resources"
 */
export function ruleCovers({ verbs, groups, resources }: PolicyRule, right: RequestedRight): boolean {
  const { verb, group, resource, subresource = "" } = right;
  if (!hasEntry(verbs, verb) || !hasEntry(groups, group)) return false;
  if (subresource === "") return hasEntry(resources, resource);
  return hasEntry(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function hasEntry(list: readonly string[], entry: string): boolean {
  return list.includes(entry) || list.includes("*");
}

function textsAt(rule: unknown, key: string): string[] {
  return isFields(rule) ? listAt(rule, key).filter((entry) => typeof entry === "string") : [];
}
