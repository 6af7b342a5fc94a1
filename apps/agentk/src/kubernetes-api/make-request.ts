import type { Clock } from "@binnacle/rpc";

import type { AgentCallHandler, AgentMethod, AgentMethods } from "../reverse-tunnel/agent-call.ts";
import type { ClusterClient } from "../cluster-access/cluster-client.ts";
import { HttpCall, type HttpCallOptions } from "./http-call.ts";
import { isRelayed } from "./http-request.ts";

/** Full name of the method that makes a request to the Kubernetes API. */
const MAKE_REQUEST = "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest";

/** What this agent can be asked through its tunnels. */
export function kubernetesApiMethods(cluster: ClusterClient, observe: (statusCode: number) => void, clock: Clock): AgentMethods {
  const makeRequest: AgentMethod = ({ metadata }, reply): AgentCallHandler => {
    const { canUseOwnConnection } = cluster;
    const expects: HttpCallOptions["expects"] = !isRelayed(metadata, "continue") ? "nothing" : canUseOwnConnection ? "server" : "agent";
    const relaysTrailers = canUseOwnConnection && isRelayed(metadata, "trailers");
    return new HttpCall({
      cluster,
      reply,
      clock,
      observe,
      expects,
      relaysTrailers,
      relaysInformational: isRelayed(metadata, "informational"),
    });
  };
  return new Map([[MAKE_REQUEST, makeRequest]]);
}
