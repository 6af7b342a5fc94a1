import type { Metadata } from "@binnacle/grpc-wire";

import type { AgentCallHandler, AgentMethod, AgentMethods } from "../reverse-tunnel/agent-call.ts";
import type { ClusterClient } from "../cluster-access/cluster-client.ts";
import { HttpCall } from "./http-call.ts";

/** Full name of the method that makes a request to the Kubernetes API. */
const MAKE_REQUEST = "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest";

/** What this agent can be asked through its tunnels. */
export function kubernetesApiMethods(cluster: ClusterClient, observe: (statusCode: number) => void): AgentMethods {
  const makeRequest: AgentMethod = ({ metadata }, reply): AgentCallHandler =>
    new HttpCall({ cluster, reply, observe, asksFirst: cluster.canExpect && wantsContinue(metadata) });
  return new Map([[MAKE_REQUEST, makeRequest]]);
}

/** kas' client waits to be told to send its body, and kas understands 100. */
function wantsContinue(metadata: Metadata): boolean {
  return (metadata.get("kas-caps") ?? []).some((value) => value.split(",").some((name) => name.trim() === "continue"));
}
