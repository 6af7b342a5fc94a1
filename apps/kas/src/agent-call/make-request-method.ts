/** The one method by which agents are asked for their cluster's Kubernetes API. */
export const MAKE_REQUEST = "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest";
