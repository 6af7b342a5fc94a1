import { ServiceRefusal } from "./service-refusal.ts";

/** Where a service answers: what it may call itself in a redirect. */
export interface ServiceOrigin {
  readonly scheme: string;
  readonly namespace: string;
  readonly service: string;
  /** As the request's Host has it: of the Service, not of the pod. */
  readonly port: string;
  /** Address and port of the pod that answered. */
  readonly endpoint: { readonly address: string; readonly port: number };
}

/** Browsers read a backslash as a slash, and skip controls. */
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const CONFUSING = /[\\\u0000-\u0020\u007f]/;

/** The Host header of requests to a service. */
export function hostOf({ service, namespace, port }: Omit<ServiceOrigin, "endpoint">): string {
  return `${service}.${namespace}.svc${port === "" ? "" : `:${port}`}`;
}

/**
 * `Location` as a path of the same service.
 *
 * @param target path and query of the request: the base of a relative one
 * @throws ServiceRefusal for one that leads anywhere else (T3)
 */
export function locationWithin(origin: ServiceOrigin, target: string, location: string): string {
  const base = `${origin.scheme}://${hostOf(origin)}${target}`;
  if (CONFUSING.test(location) || !URL.canParse(location, base)) throw elsewhere();
  const url = new URL(location, base);
  if (url.username !== "" || url.password !== "" || !originsOf(origin).has(url.origin) || url.pathname.startsWith("//")) throw elsewhere();
  return `${url.pathname}${url.search}${url.hash}`;
}

function originsOf({ scheme, namespace, service, port, endpoint }: ServiceOrigin): ReadonlySet<string> {
  const { address } = endpoint;
  const names = [service, `${service}.${namespace}`, `${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
  const hosts = [
    ...names.map((name) => (port === "" ? name : `${name}:${port}`)),
    `${address.includes(":") ? `[${address}]` : address}:${endpoint.port}`,
  ];
  return new Set(hosts.map((host) => new URL(`${scheme}://${host}`).origin));
}

function elsewhere(): ServiceRefusal {
  return new ServiceRefusal(
    "service_redirects",
    "the service redirects to another place; only redirects within the same service are passed on",
  );
}
