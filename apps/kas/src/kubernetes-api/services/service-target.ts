import { ServiceRight } from "@binnacle/proto/service-proxy";

import { ProxyRefusal } from "../http/proxy-refusal.ts";
import { parseTarget, type ProxyTarget } from "../access/proxy-target.ts";

/** A request to a service of the cluster. */
export interface ServiceTarget {
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

/** Where services begin. @param prefix begins and ends with a slash */
export function servicesPrefix(prefix: string): string {
  return `${prefix}-/services/`;
}

/**
 * Takes `<prefix>-/services/<name>/…` apart; `/-/metrics` of a service asks for measurements.
 *
 * @throws ProxyRefusal 400, 405
 */
export function parseServiceTarget(url: string, prefix: string, method: string): ServiceTarget {
  const rest = url.slice(servicesPrefix(prefix).length);
  const service = rest.split(/[/?]/, 1)[0] ?? "";
  if (!NAME.test(service)) throw new ProxyRefusal(400, "the path names no service");
  const pathPrefix = `${servicesPrefix(prefix)}${service}/`;
  if (HIDDEN.test(url.split("?", 1)[0] ?? "")) throw new ProxyRefusal(400, "the path hides slashes, dots or control characters");
  const target = parseTarget(url, pathPrefix);
  if (target.path !== METRICS_PATH) return { service, right: ServiceRight.RAW, target, pathPrefix };
  if (method !== "GET" && method !== "HEAD")
    throw new ProxyRefusal(405, `metrics may not be asked for by ${method}`, { headers: { Allow: "GET, HEAD" } });
  return { service, right: ServiceRight.METRICS, target, pathPrefix };
}
