import { ApiError } from "./api-error.ts";
import { parseServiceAccount, type User } from "./identity.ts";
import { listIn, textIn } from "./json-tree.ts";
import type { Store } from "./store.ts";

/** What a user wants to do. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Instead of a resource: a path such as `/version`. */
  readonly path?: string;
}

/** A rule as in Role and ClusterRole. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const GROUP = "rbac.authorization.k8s.io";

/** Role-based access control over the roles and bindings in the store. */
export class Rbac {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether the user may, and by which rule. */
  isAllowed(user: User, wanted: Attributes): boolean {
    if (user.groups.includes("system:masters")) return true;
    return this.rulesFor(user, wanted.namespace).some((rule) => covers(rule, wanted));
  }

  /** @throws ApiError 403 in the API server's words */
  require(user: User, wanted: Attributes): void {
    if (this.isAllowed(user, wanted)) return;
    throw forbidden(user, wanted);
  }

  /** All rules that hold for a user in a namespace (and cluster-wide). */
  rulesFor(user: User, namespace: string | undefined): PolicyRule[] {
    const bindings = this.#store
      .list(`${GROUP}/clusterrolebindings`)
      .map((binding) => ({ binding, place: undefined as string | undefined }));
    if (namespace !== undefined && namespace !== "") {
      for (const binding of this.#store.list(`${GROUP}/rolebindings`, namespace)) bindings.push({ binding, place: namespace });
    }
    return bindings
      .filter(({ binding, place }) => listIn(binding, "subjects").some((subject) => isSubject(user, subject, place)))
      .flatMap(({ binding, place }) => this.#rulesOf(binding["roleRef"], place));
  }

  #rulesOf(reference: unknown, namespace: string | undefined): PolicyRule[] {
    const name = textIn(reference, "name") ?? "";
    const cluster = textIn(reference, "kind") === "ClusterRole";
    const role = cluster ? this.#store.get(`${GROUP}/clusterroles`, undefined, name) : this.#store.get(`${GROUP}/roles`, namespace, name);
    return listIn(role, "rules").map(parseRule);
  }
}

/** A rule with absent lists as empty ones. */
function parseRule(rule: unknown): PolicyRule {
  const texts = (field: string): string[] => listIn(rule, field).filter((one): one is string => typeof one === "string");
  return {
    verbs: texts("verbs"),
    apiGroups: texts("apiGroups"),
    resources: texts("resources"),
    resourceNames: texts("resourceNames"),
    nonResourceURLs: texts("nonResourceURLs"),
  };
}

function isSubject(user: User, subject: unknown, bindingNamespace: string | undefined): boolean {
  const name = textIn(subject, "name") ?? "";
  switch (textIn(subject, "kind")) {
    case "User":
      return user.name === name;
    case "Group":
      return user.groups.includes(name);
    case "ServiceAccount": {
      const account = parseServiceAccount(user.name);
      return account?.name === name && account.namespace === (textIn(subject, "namespace") ?? bindingNamespace);
    }
    default:
      return false;
  }
}

function covers(rule: PolicyRule, wanted: Attributes): boolean {
  const has = (list: readonly string[], value: string): boolean => list.includes("*") || list.includes(value);
  if (!has(rule.verbs, wanted.verb)) return false;
  if (wanted.path !== undefined) {
    const path = wanted.path;
    return rule.nonResourceURLs.some((one) => one === "*" || one === path || (one.endsWith("*") && path.startsWith(one.slice(0, -1))));
  }
  const full = wanted.subresource === undefined ? wanted.resource : `${wanted.resource}/${wanted.subresource}`;
  const named = rule.resources.some(
    (one) => one === "*" || one === full || (wanted.subresource !== undefined && one === `*/${wanted.subresource}`),
  );
  return named && has(rule.apiGroups, wanted.group) && (rule.resourceNames.length === 0 || rule.resourceNames.includes(wanted.name ?? ""));
}

/** 403 as the API server words it. */
function forbidden(user: User, wanted: Attributes): ApiError {
  const who = `User ${JSON.stringify(user.name)} cannot ${wanted.verb}`;
  if (wanted.path !== undefined) return new ApiError(403, "Forbidden", `forbidden: ${who} path ${JSON.stringify(wanted.path)}`, {});
  const resource = wanted.subresource === undefined ? wanted.resource : `${wanted.resource}/${wanted.subresource}`;
  const qualified = wanted.group === "" ? wanted.resource : `${wanted.resource}.${wanted.group}`;
  const where = (wanted.namespace ?? "") === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(wanted.namespace)}`;
  const subject = wanted.name === undefined ? qualified : `${qualified} ${JSON.stringify(wanted.name)}`;
  const message = `${subject} is forbidden: ${who} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(wanted.group)} ${where}`;
  const details = {
    ...(wanted.name === undefined ? {} : { name: wanted.name }),
    ...(wanted.group === "" ? {} : { group: wanted.group }),
    kind: wanted.resource,
  };
  return new ApiError(403, "Forbidden", message, details);
}
