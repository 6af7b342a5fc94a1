import { fieldsAt, textAt } from "@binnacle/kube";
import { eventually } from "@binnacle/testing";

import type { ClusterAccess } from "../../cluster-access/cluster-access.ts";
import type { ApiAnswer, ApiCall, ClusterApi } from "../../cluster-access/cluster-api.ts";

/** Part of the names of Secrets that not everybody may read. */
export const CANARY = "canary-of-the-forbidden";

export function configMap(name: string): unknown {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { key: name } };
}

export function deployment(name: string, image = "app:1"): unknown {
  const labels = { app: name };
  const containers = [
    { name: "c", image, envFrom: [{ configMapRef: { name: "settings" } }, { secretRef: { name: `${CANARY}-secret`, optional: true } }] },
  ];
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, labels }, spec };
}

/** Objects and rights in a real cluster, written by its administrator. */
export class ClusterAdmin {
  readonly #api: ClusterApi;

  constructor(api: ClusterApi) {
    this.#api = api;
  }

  /** @param body of a PATCH a merge patch @throws Error when the API server refuses */
  async call(method: ApiCall["method"], target: string, body?: unknown): Promise<ApiAnswer> {
    const patch = method === "PATCH" ? { contentType: "application/merge-patch+json" } : {};
    const answer = await this.#api.call({
      method,
      target,
      signal: new AbortController().signal,
      ...patch,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.statusCode >= 400) throw new Error(`${method} ${target}: ${JSON.stringify(answer.value)}`);
    return answer;
  }

  create(target: string, object: unknown): Promise<ApiAnswer> {
    return this.call("POST", target, object);
  }

  async bind(to: { readonly role: string; readonly user: string; readonly namespace?: string }): Promise<void> {
    const place = to.namespace === undefined ? "clusterrolebindings" : `namespaces/${to.namespace}/rolebindings`;
    const isAgent = to.user === "agentk";
    const subject = isAgent
      ? { kind: "ServiceAccount", name: "agentk", namespace: "default" }
      : { kind: "User", name: to.user, apiGroup: "rbac.authorization.k8s.io" };
    await this.create(`/apis/rbac.authorization.k8s.io/v1/${place}`, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: to.namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
      metadata: { name: `${to.role}-${to.user}` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: to.role },
      subjects: [subject],
    });
  }

  /** Anna may do everything; Ben reads `app` but no Secret; Cleo reads ConfigMaps and Secrets of `app`, and single Deployments. */
  async grantEverybody(): Promise<void> {
    await this.bind({ role: "cluster-admin", user: "anna" });
    const read = ["get", "list", "watch"];
    await this.#role("reader", [
      { apiGroups: ["apps"], resources: ["*"], verbs: read },
      { apiGroups: [""], resources: ["pods", "configmaps", "services", "events"], verbs: read },
    ]);
    await this.bind({ role: "reader", user: "ben", namespace: "app" });
    await this.#role("keeper", [
      { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: read },
      { apiGroups: ["apps"], resources: ["deployments"], verbs: read, resourceNames: ["web"] },
    ]);
    await this.bind({ role: "keeper", user: "cleo", namespace: "app" });
    // What docs/reference says that agentk needs for views: no Secrets.
    await this.#role("agentk-views", [
      { apiGroups: ["*"], resources: ["*"], verbs: ["impersonate"] },
      {
        apiGroups: ["", "apps", "batch", "networking.k8s.io", "discovery.k8s.io", "autoscaling", "policy", "storage.k8s.io"],
        resources: viewed(),
        verbs: ["list", "watch"],
      },
    ]);
    await this.bind({ role: "agentk-views", user: "agentk" });
    await this.create("/api/v1/namespaces/default/serviceaccounts", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "agentk" },
    });
    await this.#rightsInForce();
  }

  /** The cluster as agentk reaches it with a token of its service account. */
  async accessOfAgent(admins: ClusterAccess): Promise<ClusterAccess> {
    const answer = await this.call("POST", "/api/v1/namespaces/default/serviceaccounts/agentk/token", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {},
    });
    const token = textAt(fieldsAt(answer.value, "status"), "token");
    const { ca } = admins.tls();
    const tls = ca === undefined ? {} : { ca };
    return {
      server: admins.server,
      proxy: undefined,
      identity: undefined,
      tls: () => tls,
      authorization: () => `Bearer ${token}`,
      refused: () => {},
    };
  }

  /** The API server authorises by what it has watched of roles, a moment after it has stored them; a refused list is repeated in a minute. */
  async #rightsInForce(): Promise<void> {
    const agent = "system:serviceaccount:default:agentk";
    const inApp = { namespace: "app", verb: "list" };
    const rights = [
      { user: "anna", ...inApp, resource: "secrets" },
      { user: "ben", ...inApp, resource: "pods" },
      { user: "cleo", ...inApp, resource: "secrets" },
      { user: agent, ...inApp, resource: "pods" },
      { user: agent, verb: "impersonate", resource: "users" },
    ];
    const isAllowed = async ({ user, ...resourceAttributes }: (typeof rights)[number]): Promise<boolean> => {
      const review = await this.create("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user, resourceAttributes },
      });
      return fieldsAt(review.value, "status")?.["allowed"] === true;
    };
    await eventually(async () => {
      const allowed = await Promise.all(rights.map(isAllowed));
      return allowed.every(Boolean) ? undefined : JSON.stringify(rights.filter((_, index) => allowed[index] !== true));
    }, 50_000);
  }

  async #role(name: string, rules: unknown): Promise<void> {
    await this.create("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name },
      rules,
    });
  }
}

function viewed(): readonly string[] {
  const core = ["pods", "services", "configmaps", "events", "nodes", "persistentvolumeclaims", "persistentvolumes", "serviceaccounts"];
  const apps = ["deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs", "ingresses", "endpointslices"];
  return [...core, ...apps, "horizontalpodautoscalers", "poddisruptionbudgets", "storageclasses"];
}
