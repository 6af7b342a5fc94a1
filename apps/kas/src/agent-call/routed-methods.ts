import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { AgentLogs } from "@binnacle/proto/kas-logs";
import { AgentViews } from "@binnacle/proto/kas-views";
import { KubernetesApi } from "@binnacle/proto/kubernetes-api";
import { ServiceProxy } from "@binnacle/proto/service-proxy";

/** Services that agents offer: their methods are routed through tunnels, and between kas, as raw bytes. */
const ROUTED: readonly DescService[] = [KubernetesApi, ServiceProxy, AgentViews, AgentLogs];

const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;

/** Full names of the services that agents offer. */
export const ROUTED_SERVICES: ReadonlySet<string> = new Set(ROUTED.map(({ typeName }) => typeName));

/** The method of requests to the Kubernetes API of an agent's cluster. */
export const MAKE_REQUEST = pathOf(KubernetesApi.method.makeRequest);

/** The method of requests to a service of an agent's cluster. */
export const SERVICE_REQUEST = pathOf(ServiceProxy.method.makeRequest);

/** The method that subscribes to views of an agent. */
export const VIEWS_CALL = pathOf(AgentViews.method.connect);

/** The method that reads logs through an agent. */
export const LOGS_CALL = pathOf(AgentLogs.method.read);

const HTTP_METHODS: ReadonlySet<string> = new Set(
  ROUTED.flatMap(({ methods }) => methods)
    .filter(({ input }) => input.typeName === HttpRequestSchema.typeName)
    .map(pathOf),
);

/** Whether the method carries an HTTP request and its answer: then pieces of a body can be passed on before their message is whole. */
export function isHttpMethod(method: string): boolean {
  return HTTP_METHODS.has(method);
}
