import type { ServiceOptions } from "@binnacle/proto/agent-options";

import { addressKey, forbiddenAddress } from "@binnacle/rpc/address-rules";
import type { ApiServerAddresses } from "./api-server-addresses.ts";
import { portNameOf, type EndpointReader, type ServicePlace } from "./endpoint-reader.ts";
import { ServiceRefusal } from "./service-refusal.ts";

/** One address of a service: what is connected to, and nothing else. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** A service as it is now. */
export interface ResolvedService extends ServicePlace {
  /** For the Host header. */
  readonly port: string;
  /** At least one, all of them allowed; in a random order. */
  readonly endpoints: readonly Endpoint[];
}

/** What resolving needs. */
export interface ServiceEndpointsOptions {
  readonly reader: EndpointReader;
  readonly apiServer: Pick<ApiServerAddresses, "keys">;
  /** Endpoints that agentk's operator has named, by "namespace/service": used instead of those of the cluster, without the checks of addresses. */
  readonly named: ReadonlyMap<string, Endpoint>;
  /** Why an address may not be one of a service. Default: `forbiddenAddress`. */
  readonly forbidden?: (address: string) => string | undefined;
}

/** What the operator of Prometheus, and its usual charts, put on the Service; the first that matches exactly one counts. */
const PROMETHEUS_LABELS = ["operated-prometheus=true", "app.kubernetes.io/name=prometheus"] as const;
/** Names of its port, in the order they are looked for. */
const PROMETHEUS_PORTS = ["web", "http-web", "http"] as const;

/** Finds where a service is, through EndpointSlices and never through DNS. */
export class ServiceEndpoints {
  readonly #options: ServiceEndpointsOptions;

  constructor(options: ServiceEndpointsOptions) {
    this.#options = options;
  }

  /** @throws ServiceRefusal when there is nothing that may be connected to */
  async resolve(entry: ServiceOptions, signal: AbortSignal): Promise<ResolvedService> {
    const place = { namespace: entry.namespace, service: entry.service === "" ? await this.#discover(entry, signal) : entry.service };
    const named = this.#options.named.get(`${place.namespace}/${place.service}`);
    if (named !== undefined) return { ...place, port: String(named.port), endpoints: [named] };
    const ready = await this.#readyEndpoints(entry, place, signal);
    const { forbidden = forbiddenAddress } = this.#options;
    const apiServer = await this.#options.apiServer.keys();
    const [allowed, reasons] = [[] as Endpoint[], new Set<string>()];
    for (const endpoint of ready) {
      const why = forbidden(endpoint.address) ?? (apiServer.has(addressKey(endpoint.address) ?? "") ? "the API server's" : undefined);
      if (why === undefined) allowed.push(endpoint);
      else reasons.add(why);
    }
    if (allowed.length === 0)
      throw new ServiceRefusal(
        "service_address_refused",
        `the address of service ${entry.name} is ${[...reasons].join(", ")}; agentk connects to none like that, unless its operator names it (--service-endpoint)`,
      );
    const port = /^\d+$/.test(entry.port) ? entry.port : String(allowed[0]?.port ?? "");
    return { ...place, port, endpoints: shuffled(allowed) };
  }

  async #readyEndpoints(entry: ServiceOptions, place: ServicePlace, signal: AbortSignal): Promise<readonly Endpoint[]> {
    const { reader } = this.#options;
    const [names, slices] = await Promise.all([this.#portNames(entry, place, signal), reader.slices(place, signal)]);
    const name = names.find((one) => slices.some(({ ports }) => ports.some((port) => port.name === one)));
    const ready = slices.flatMap(({ endpoints, ports }) => {
      const port = ports.find((one) => one.name === name && one.port > 0)?.port;
      if (port === undefined) return [];
      return endpoints
        .filter(({ isReady }) => isReady)
        .flatMap(({ addresses }) => addresses.slice(0, 1).map((address) => ({ address, port })));
    });
    if (ready.length > 0) return ready;
    throw unreachable(`service ${entry.name} has no ready endpoint for port ${entry.port === "" ? names.join(" or ") : entry.port}`);
  }

  async #portNames(entry: ServiceOptions, place: ServicePlace, signal: AbortSignal): Promise<readonly string[]> {
    if (entry.port === "") return PROMETHEUS_PORTS;
    if (!/^\d+$/.test(entry.port)) return [entry.port];
    const service = await this.#options.reader.service(place, signal);
    if (service === undefined) throw unreachable(`service ${entry.name} is not in the cluster`);
    const name = portNameOf(service, Number(entry.port));
    if (name === undefined) throw unreachable(`service ${entry.name} has no port ${entry.port}`);
    return [name];
  }

  async #discover({ name, namespace }: ServiceOptions, signal: AbortSignal): Promise<string> {
    for (const labels of PROMETHEUS_LABELS) {
      const found = await this.#options.reader.find(namespace, labels, signal);
      if (found.length > 1)
        throw unreachable(
          `service ${name}: ${found.length} Services in namespace ${namespace} bear ${labels}; name one of them in binnacle.yaml`,
        );
      if (found[0] !== undefined) return found[0];
    }
    throw unreachable(`service ${name}: no Service in namespace ${namespace} bears ${PROMETHEUS_LABELS.join(" or ")}`);
  }
}

function unreachable(message: string): ServiceRefusal {
  return new ServiceRefusal("service_unreachable", message);
}

/** Fisher and Yates. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const result = [...items];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    const [a, b] = [result[at], result[other]];
    if (a === undefined || b === undefined) continue;
    [result[at], result[other]] = [b, a];
  }
  return result;
}
