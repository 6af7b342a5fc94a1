import type { Clock } from "@binnacle/rpc";

import type { AgentCallHandler, AgentMethod, AgentMethods } from "../reverse-tunnel/agent-call.ts";
import type { ClusterClient } from "../cluster-access/cluster-client.ts";
import { HttpCall, type HttpCallOptions } from "./http-call.ts";
import { wantsContinue } from "./http-request.ts";

/** Full name of the method that makes a request to the Kubernetes API. */
const MAKE_REQUEST = "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest";

/** What this agent can be asked through its tunnels. */
export function kubernetesApiMethods(cluster: ClusterClient, observe: (statusCode: number) => void, clock: Clock): AgentMethods {
  const makeRequest: AgentMethod = ({ metadata }, reply): AgentCallHandler => {
    const expects: HttpCallOptions["expects"] = !wantsContinue(metadata) ? "nothing" : cluster.canExpect ? "server" : "agent";
    return new HttpCall({ cluster, reply, clock, observe, expects });
  };
  return new Map([[MAKE_REQUEST, makeRequest]]);
}
