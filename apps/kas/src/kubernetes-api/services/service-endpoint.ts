import type { IncomingMessage, ServerResponse } from "node:http";

import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { ServiceHeaderExtraSchema, ServiceRight } from "@binnacle/proto/service-proxy";

import type { CallClass } from "../../agent-call/call-context.ts";
import { SERVICE_REQUEST } from "../../agent-call/routed-methods.ts";
import type { RequestHead } from "../../http-exchange/request-header.ts";
import type { CallerAccess } from "../access/caller-access.ts";
import type { Exchange } from "../http/exchange.ts";
import type { KubernetesProxy } from "../proxy/kubernetes-proxy.ts";
import type { ProxyAccess } from "../access/proxy-access.ts";
import { ProxyRefusal } from "../http/proxy-refusal.ts";
import { wantsEvents } from "../http/request-headers.ts";
import { parseTarget, type ProxyTarget } from "../access/proxy-target.ts";
import { UpgradeResponse } from "../http/upgrade-response.ts";

/** What passes requests on to services. */
export interface ServiceEndpointOptions {
  readonly callers: Pick<CallerAccess, "handle" | "access">;
  readonly proxy: Pick<KubernetesProxy, "pass">;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
}

/** A request to a service of the cluster. */
interface ServiceTarget {
  /** Name of the entry in the agent's options. */
  readonly service: string;
  readonly right: ServiceRight;
  /** What goes to the service. */
  readonly target: ProxyTarget;
  /** Where the service begins here; begins and ends with a slash. */
  readonly pathPrefix: string;
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Slashes, backslashes, dots and control characters that are encoded: how a service reads them is not known. */
const HIDDEN = /%(?:2f|5c|2e|[01][0-9a-f]|7f)/i;
const METRICS_PATH = "/-/metrics";

/**
 * `<prefix>-/services/<name>/…` of the Kubernetes proxy: services of the cluster that the agent's configuration allows, with the credentials of any
 * request to the cluster. Which there are and who may use them agentk decides; kas says who asks, and holds the answer to the same rules.
 */
export class ServiceEndpoint {
  readonly #options: ServiceEndpointOptions;
  readonly #prefix: string;

  constructor(options: ServiceEndpointOptions) {
    this.#options = options;
    this.#prefix = servicesPrefix(options.pathPrefix);
  }

  /** Answers a request that is for it. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith(this.#prefix) !== true) return false;
    void this.#options.callers.handle(request, response, (exchange) => this.#pass(exchange)); // never rejects
    return true;
  }

  async #pass(exchange: Exchange): Promise<void> {
    const { callers, proxy, pathPrefix: prefix } = this.#options;
    const { request, response } = exchange;
    const method = request.method ?? "GET";
    const isUpgrade = response instanceof UpgradeResponse;
    if (isUpgrade && (method !== "GET" || response.protocol !== "websocket"))
      throw new ProxyRefusal(501, "services are upgraded to WebSocket alone", { reason: "not_implemented" });
    const { service, right, target, pathPrefix } = parseServiceTarget(request.url ?? "", prefix, method);
    const { credential, access } = await callers.access(exchange, target, { service, method });
    const callClass = isUpgrade ? "upgrade" : serviceCallClassOf(request);
    await proxy.pass(exchange, {
      credential,
      access,
      target,
      pathPrefix,
      callClass,
      service: serviceExtraOf({ service, right, access }),
    });
  }
}

/** The extra of the header of a request to a service: which service, and who the caller is. */
export function serviceExtraOf(
  of: Pick<ServiceTarget, "service" | "right"> & { readonly access: ProxyAccess },
): NonNullable<RequestHead["service"]> {
  const { service, right, access } = of;
  const { identity } = access;
  const extra = create(ServiceHeaderExtraSchema, { service, right, caller: access.member(), ...(identity && { identity }) });
  return { rpc: SERVICE_REQUEST, extra: anyPack(ServiceHeaderExtraSchema, extra) };
}

/** A stream of events lasts until the client disconnects: its rights are checked again, and it counts as a watch. */
function serviceCallClassOf(request: IncomingMessage): CallClass {
  const { method = "GET" } = request;
  if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") return "mutation";
  return wantsEvents(request) ? "watch" : "safe";
}

/** Where services begin. @param prefix begins and ends with a slash */
function servicesPrefix(prefix: string): string {
  return `${prefix}-/services/`;
}

/**
 * Takes `<prefix>-/services/<name>/…` apart; `/-/metrics` of a service requests its metrics.
 *
 * @throws ProxyRefusal 400, 405
 */
function parseServiceTarget(url: string, prefix: string, method: string): ServiceTarget {
  const rest = url.slice(servicesPrefix(prefix).length);
  const service = rest.split(/[/?]/, 1)[0] ?? "";
  if (!NAME.test(service)) throw new ProxyRefusal(400, "the path names no service");
  const pathPrefix = `${servicesPrefix(prefix)}${service}/`;
  if (HIDDEN.test(url.split("?", 1)[0] ?? "")) throw new ProxyRefusal(400, "the path hides slashes, dots or control characters");
  const target = parseTarget(url, pathPrefix);
  if (target.path !== METRICS_PATH) return { service, right: ServiceRight.RAW, target, pathPrefix };
  if (method !== "GET" && method !== "HEAD")
    throw new ProxyRefusal(405, `metrics cannot be requested with ${method}`, { headers: { Allow: "GET, HEAD" } });
  return { service, right: ServiceRight.METRICS, target, pathPrefix };
}
