import { Fault } from "@binnacle/rpc";

import { messageOf, type KubeHttp } from "../cluster/kube-http.ts";

/**
 * The namespaces of a foreign cluster that become environments: those that were named, or every one but `kube-*`.
 *
 * @param http a client through kas: the sandbox itself never touches the cluster
 */
export async function foreignNamespaces(http: KubeHttp, named: readonly string[]): Promise<readonly string[]> {
  if (named.length > 0) return named;
  const reply = await http.send({ method: "GET", path: "/api/v1/namespaces" });
  const items: unknown = typeof reply.body === "object" && reply.body !== null ? Reflect.get(reply.body, "items") : undefined;
  if (reply.status !== 200 || !Array.isArray(items)) {
    throw new Fault("cluster_unavailable", `the namespaces cannot be listed (${messageOf(reply)}): name them with --namespace a,b`);
  }
  return items.flatMap((item: { metadata?: { name?: unknown } }) => {
    const name = item.metadata?.name;
    return typeof name === "string" && !name.startsWith("kube-") ? [name] : [];
  });
}
