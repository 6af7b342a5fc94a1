import { fieldsAt, listAt, numberAt, textAt, textOf } from "@binnacle/kube";

import { isOk, reasonOf, type ApiAnswer, type ClusterApi } from "../cluster-access/cluster-api.ts";
import { ServiceRefusal } from "./service-refusal.ts";

/** A Service by name. */
export interface ServicePlace {
  readonly namespace: string;
  readonly service: string;
}

/** What is read of an EndpointSlice. */
export interface Slice {
  readonly endpoints: readonly { readonly addresses: readonly string[]; readonly isReady: boolean }[];
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

/** Reads Services and EndpointSlices as agentk itself. */
export class EndpointReader {
  readonly #api: ClusterApi;

  constructor(api: ClusterApi) {
    this.#api = api;
  }

  /** Slices with IP addresses. @throws ServiceRefusal `agent_rights_missing` */
  async slices({ namespace, service }: ServicePlace, signal: AbortSignal): Promise<readonly Slice[]> {
    const selector = encodeURIComponent(`kubernetes.io/service-name=${service}`);
    const target = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${selector}`;
    const answer = await this.#get(target, `EndpointSlices in namespace ${namespace}`, signal);
    return listAt(answer.value, "items")
      .filter((slice) => textAt(slice, "addressType") !== "FQDN")
      .map(sliceOf);
  }

  /** The Service as it is; undefined when there is none. @throws ServiceRefusal `agent_rights_missing` */
  async service({ namespace, service }: ServicePlace, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#get(`/api/v1/namespaces/${namespace}/services/${service}`, `Services in namespace ${namespace}`, signal);
    return answer.statusCode === 404 ? undefined : answer.value;
  }

  /** Names of Services with these labels, sorted. @throws ServiceRefusal `agent_rights_missing` */
  async find(namespace: string, labels: string, signal: AbortSignal): Promise<readonly string[]> {
    const target = `/api/v1/namespaces/${namespace}/services?labelSelector=${encodeURIComponent(labels)}`;
    const answer = await this.#get(target, `Services in namespace ${namespace}`, signal);
    return listAt(answer.value, "items")
      .map((service) => textAt(fieldsAt(service, "metadata"), "name"))
      .sort();
  }

  async #get(target: string, what: string, signal: AbortSignal): Promise<ApiAnswer> {
    const answer = await this.#api.call({ method: "GET", target, signal });
    if (isOk(answer) || answer.statusCode === 404) return answer;
    throw new ServiceRefusal("agent_rights_missing", `the agent cannot read ${what}: ${reasonOf(answer)}`);
  }
}

/** Name by which slices list the number of the port. @returns undefined when the Service has no such port */
export function portNameOf(service: unknown, port: number): string | undefined {
  const found = listAt(fieldsAt(service, "spec"), "ports").find((one) => numberAt(one, "port") === port);
  return found === undefined ? undefined : textAt(found, "name");
}

/** Virtual addresses of a Service. */
export function clusterIpsOf(service: unknown): readonly string[] {
  const spec = fieldsAt(service, "spec");
  return [textAt(spec, "clusterIP"), ...texts(spec, "clusterIPs")];
}

function sliceOf(slice: unknown): Slice {
  return {
    endpoints: listAt(slice, "endpoints").map((endpoint) => ({
      addresses: texts(endpoint, "addresses"),
      // Absent means ready, as the API defines it.
      isReady: fieldsAt(endpoint, "conditions")["ready"] !== false,
    })),
    ports: listAt(slice, "ports").map((port) => ({ name: textAt(port, "name"), port: numberAt(port, "port") ?? 0 })),
  };
}

function texts(of: unknown, key: string): readonly string[] {
  return listAt(of, key).map(textOf);
}
