import { fieldsAt, listAt, numberAt, quantityOf, textAt, type Fields, type KubeObject } from "@binnacle/kube";

/** Whether a ResourceQuota counts pods; `undefined`: it is not known. */
export type IsCounted = boolean | undefined;

/** A namespace, as far as scopes need it. */
export interface ScopeFacts {
  /** Whether a LimitRange gives containers CPU or memory by default; `undefined`: it is not known. Called only where it decides. */
  readonly hasDefaults: () => Promise<boolean | undefined>;
}

/** Whether a quota has scopes at all: then it counts pods alone, and only those of all its scopes. */
export function isScoped(quota: KubeObject): boolean {
  return requirementsOf(quota).length > 0;
}

/**
 * Whether a quota counts pods of a specification.
 *
 * @param pod `spec` of the template, as the workload has it: before admission sets defaults
 * @see `podMatchesScopeFunc` in Kubernetes' pkg/quota/v1/evaluator/core/pods.go
 */
export async function countsPods(quota: KubeObject, pod: Fields, facts: ScopeFacts): Promise<IsCounted> {
  const answers = await Promise.all(requirementsOf(quota).map((requirement) => isOfScope(requirement, pod, facts)));
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** A scope without its own operator is `Exists`. */
interface Requirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly unknown[];
}

function requirementsOf(quota: KubeObject): readonly Requirement[] {
  const spec = fieldsAt(quota, "spec");
  return [
    ...listAt(spec, "scopes").map((scope) => ({ scope: typeof scope === "string" ? scope : "", operator: "Exists", values: [] })),
    ...listAt(fieldsAt(spec, "scopeSelector"), "matchExpressions").map((each) => ({
      scope: textAt(each, "scopeName"),
      operator: textAt(each, "operator"),
      values: listAt(each, "values"),
    })),
  ];
}

async function isOfScope(requirement: Requirement, pod: Fields, facts: ScopeFacts): Promise<IsCounted> {
  const { scope, operator } = requirement;
  if (scope === "PriorityClass") return isOfPriority(requirement, pod);
  // Kubernetes allows no other operator for these scopes.
  if (operator !== "Exists") return undefined;
  if (scope === "Terminating") return isTerminating(pod);
  if (scope === "NotTerminating") return !isTerminating(pod);
  if (scope !== "BestEffort" && scope !== "NotBestEffort") return undefined;
  const isBestEffort = hasResources(pod) ? false : inverse(await facts.hasDefaults());
  return scope === "BestEffort" ? isBestEffort : inverse(isBestEffort);
}

/** The deadline of the pod, which is not that of its Job. */
function isTerminating(pod: Fields): boolean {
  return (numberAt(pod, "activeDeadlineSeconds") ?? -1) >= 0;
}

/** Whether a container, or the pod, requests CPU or memory or is limited in it. */
function hasResources(pod: Fields): boolean {
  return [pod, ...listAt(pod, "containers"), ...listAt(pod, "initContainers")].some((each) => {
    const resources = fieldsAt(each, "resources");
    return hasComputeResource(fieldsAt(resources, "requests")) || hasComputeResource(fieldsAt(resources, "limits"));
  });
}

/** Whether an amount of CPU or memory above zero is in a list of resources. */
export function hasComputeResource(list: Fields): boolean {
  return ["cpu", "memory"].some((name) => (quantityOf(list[name]) ?? 0) > 0);
}

/** A pod that names no class gets the global default of the cluster, if there is one. */
function isOfPriority({ operator, values }: Requirement, pod: Fields): IsCounted {
  const name = textAt(pod, "priorityClassName");
  if (name === "") return undefined;
  if (operator === "Exists") return true;
  if (operator === "DoesNotExist") return false;
  if (operator === "In") return values.includes(name);
  return operator === "NotIn" ? !values.includes(name) : undefined;
}

function inverse(is: boolean | undefined): boolean | undefined {
  return is === undefined ? undefined : !is;
}
