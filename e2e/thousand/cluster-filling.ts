import { writeFileSync } from "node:fs";

import type { ControlPlane } from "@binnacle/control-plane";

import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { conditionOf, namespaceName, workloadOf } from "./namespace-workload.ts";

/** May look into every namespace, by one ClusterRoleBinding. */
export const CLUSTER_VIEWER = "colleague-1";
/** May look into every namespace, by a RoleBinding in each. */
export const NAMESPACE_VIEWER = "colleague-2";

/** Writes at most this many objects at a time. */
const PARALLEL = 24;
/** What `view` is put together from; no controller runs here that would do it. */
const VIEW = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:aggregate-to-view" };
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const AGENT = { kind: "ServiceAccount", name: "agentk", namespace: "gitlab-agent" };

/**
 * Makes namespaces with a workload each, written straight through the API with the status that controllers would have reported, the two
 * viewers' rights, and agentk's, who may impersonate and look, but lists no nodes and so keeps no views of environments.
 */
export async function fillCluster(plane: Pick<ControlPlane, "kubeconfig">, count: number): Promise<void> {
  const target = targetOf(plane.kubeconfig);
  await makeRights(target);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await fillNamespace(target, next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  await target.dispatcher.close();
}

/** What agentk must read beside `view` to keep views of environments (the sandbox's `agentk-views`); without it the dashboard makes them. */
export async function letAgentKeepViews(plane: Pick<ControlPlane, "kubeconfig">): Promise<void> {
  const target = targetOf(plane.kubeconfig);
  const verbs = ["get", "list", "watch"];
  const rules = [
    { apiGroups: [""], resources: ["nodes", "persistentvolumes"], verbs },
    { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs },
  ];
  await create(target, `${RBAC}/clusterroles`, { metadata: { name: "agentk-views" }, rules });
  await bindEverywhere(target, "agentk-views", { roleRef: { ...VIEW, name: "agentk-views" }, subjects: [AGENT] });
  await target.dispatcher.close();
}

/** A kubeconfig of agentk's ServiceAccount, and nothing else. @param file where it is written */
export async function writeAgentKubeconfig(plane: Pick<ControlPlane, "kubeconfig" | "server" | "caFile">, file: string): Promise<void> {
  const target = targetOf(plane.kubeconfig);
  const spec = { expirationSeconds: 24 * 3600 };
  const path = `/api/v1/namespaces/${AGENT.namespace}/serviceaccounts/${AGENT.name}/token`;
  const answer = await create(target, path, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec });
  const token: unknown = Reflect.get(Object(Reflect.get(Object(answer), "status")), "token");
  await target.dispatcher.close();
  // JSON is YAML.
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "agentk",
    contexts: [{ name: "agentk", context: { cluster: "real", user: "agentk" } }],
    clusters: [{ name: "real", cluster: { server: plane.server, "certificate-authority": plane.caFile } }],
    users: [{ name: "agentk", user: { token } }],
  };
  writeFileSync(file, JSON.stringify(config));
}

async function makeRights(target: BearerTarget): Promise<void> {
  await create(target, "/api/v1/namespaces", { metadata: { name: AGENT.namespace } });
  await create(target, `/api/v1/namespaces/${AGENT.namespace}/serviceaccounts`, { metadata: { name: AGENT.name } });
  const rules = [
    { apiGroups: [""], resources: ["users", "groups", "serviceaccounts"], verbs: ["impersonate"] },
    { apiGroups: ["authentication.k8s.io"], resources: ["*"], verbs: ["impersonate"] },
  ];
  await create(target, `${RBAC}/clusterroles`, { metadata: { name: "agentk-impersonate" }, rules });
  const impersonate = { ...VIEW, name: "agentk-impersonate" };
  await bindEverywhere(target, "agentk-impersonate", { roleRef: impersonate, subjects: [AGENT] });
  await bindEverywhere(target, "agentk-view", { roleRef: VIEW, subjects: [AGENT] });
  await bindEverywhere(target, "cluster-viewer", { roleRef: VIEW, subjects: [userOf(CLUSTER_VIEWER)] });
}

function bindEverywhere(target: BearerTarget, name: string, binding: object): Promise<unknown> {
  return create(target, `${RBAC}/clusterrolebindings`, { metadata: { name }, ...binding });
}

/** A user of the main application, as kas tells the cluster. */
function userOf(username: string): object {
  return { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `gitlab:user:${username}` };
}

async function fillNamespace(target: BearerTarget, index: number): Promise<void> {
  const name = namespaceName(index);
  await create(target, "/api/v1/namespaces", { metadata: { name } });
  await create(target, `${RBAC}/namespaces/${name}/rolebindings`, {
    metadata: { name: "namespace-viewer" },
    roleRef: VIEW,
    subjects: [userOf(NAMESPACE_VIEWER)],
  });
  let uid = "";
  for (const make of workloadOf(name, conditionOf(index))) {
    const { collection, object, status } = make(uid);
    const stored = await create(target, collection, object);
    uid = String(Reflect.get(Object(Reflect.get(Object(stored), "metadata")), "uid"));
    const path = `${collection}/${object.metadata.name}/status`;
    await write(target, { method: "PATCH", path, contentType: "application/merge-patch+json", body: { status } });
  }
}

function create(target: BearerTarget, path: string, body: unknown): Promise<unknown> {
  return write(target, { method: "POST", path, contentType: "application/json", body });
}

/** @returns what the API server answers: the object as it is stored */
async function write(
  target: BearerTarget,
  request: { readonly method: string; readonly path: string; readonly contentType: string; readonly body: unknown },
): Promise<unknown> {
  const { method, path, contentType, body } = request;
  const answer = await send(target, path, { method, headers: { "content-type": contentType }, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
