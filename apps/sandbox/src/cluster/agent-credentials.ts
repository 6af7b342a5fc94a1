import { Fault } from "@binnacle/rpc";

import { messageOf, type KubeHttp } from "./kube-http.ts";

const A_YEAR_SECONDS = 365 * 24 * 3600;

/**
 * A token of agentk's ServiceAccount, by a TokenRequest.
 *
 * @throws Fault `cluster_unavailable` with the answer of the API
 */
export async function requestAgentToken(http: KubeHttp, account: { readonly namespace: string; readonly name: string }): Promise<string> {
  const reply = await http.send({
    method: "POST",
    path: `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: A_YEAR_SECONDS } },
  });
  const status: unknown = typeof reply.body === "object" && reply.body !== null ? Reflect.get(reply.body, "status") : undefined;
  const token: unknown = typeof status === "object" && status !== null ? Reflect.get(status, "token") : undefined;
  if (typeof token !== "string")
    throw new Fault("cluster_unavailable", `no token for ServiceAccount ${account.namespace}/${account.name}: ${messageOf(reply)}`);
  return token;
}
