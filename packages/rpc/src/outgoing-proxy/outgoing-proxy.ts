import { BlockList, isIP } from "node:net";

import { Fault } from "../fault.ts";

/** Where a connection is wanted to. */
export interface ProxyTarget {
  /** Name or IP address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** One entry of NO_PROXY. */
type Exemption = (target: ProxyTarget) => boolean;

/** An HTTP proxy through which we connect (CONNECT). Wherever it is printed only its name appears, never its user and password. */
export class OutgoingProxy {
  /** "http://proxy.example.com:3128". */
  readonly name: string;
  /** Whether it is spoken to over TLS. */
  readonly secure: boolean;
  /** Name or IP address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly #authorization: string | undefined;

  private constructor(url: URL) {
    this.secure = url.protocol === "https:";
    this.host = hostOf(url);
    this.port = url.port === "" ? (this.secure ? 443 : 80) : Number(url.port);
    this.name = `${url.protocol}//${url.hostname}:${this.port}`;
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    this.#authorization = credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
  }

  /** @param text `http://[user:password@]host[:port]`, `https://…`, or without a scheme, which means http; undefined for anything else */
  static parse(text: string): OutgoingProxy | undefined {
    const address = text.includes("://") ? text : `http://${text}`;
    if (!URL.canParse(address)) return undefined;
    const url = new URL(address);
    if (!["http:", "https:"].includes(url.protocol) || url.hostname === "" || !["", "/"].includes(`${url.pathname}${url.search}`))
      return undefined;
    try {
      return new OutgoingProxy(url);
    } catch {
      return undefined; // a user or password that is not percent-encoded
    }
  }

  /** Value of `Proxy-Authorization`: a secret. */
  get authorization(): string | undefined {
    return this.#authorization;
  }

  toString(): string {
    return this.name;
  }

  toJSON(): string {
    return this.name;
  }
}

/** The expected form of a proxy, for the error of a configuration that has another. */
export const PROXY_SHAPE = "expected http://[user:password@]host[:port] or https://…";

/** The variable that names the proxy for a scheme. Agents speak TLS or HTTP/2, for which proxies have the first. */
const VARIABLES: Readonly<Record<string, string>> = {
  "https:": "HTTPS_PROXY",
  "wss:": "HTTPS_PROXY",
  "grpc:": "HTTPS_PROXY",
  "grpcs:": "HTTPS_PROXY",
  "http:": "HTTP_PROXY",
  "ws:": "HTTP_PROXY",
};
const TLS_SCHEMES: ReadonlySet<string> = new Set(["https:", "wss:", "grpcs:"]);

/** Where a proxy is taken from. */
export interface ProxySource {
  /** What our own flag or key says; it wins over all variables, NO_PROXY included. */
  readonly configured?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The proxy for connections to `target`, from our own configuration or HTTPS_PROXY, HTTP_PROXY and NO_PROXY, upper case before lower case.
 *
 * @throws Fault `configuration_invalid` for an address that is none; the address itself is not in it, it may hold a password
 */
export function outgoingProxyFor(target: URL, { configured, env }: ProxySource): OutgoingProxy | undefined {
  if (configured !== undefined) return parsed(configured, "the proxy");
  const variable = VARIABLES[target.protocol];
  const address = variable === undefined ? undefined : valueOf(env, variable);
  if (variable === undefined || address === undefined) return undefined;
  if (isExempt(valueOf(env, "NO_PROXY") ?? "", { host: hostOf(target), port: portOf(target) })) return undefined;
  return parsed(address, variable);
}

/** Port of the target, or the one that its scheme means. */
export function portOf(target: URL): number {
  if (target.port !== "") return Number(target.port);
  return TLS_SCHEMES.has(target.protocol) ? 443 : 80;
}

/** Name or address of the target, without brackets. */
export function hostOf(target: URL): string {
  return target.hostname.replace(/^\[(.*)\]$/, "$1");
}

function parsed(address: string, what: string): OutgoingProxy {
  const proxy = OutgoingProxy.parse(address);
  if (proxy === undefined) throw new Fault("configuration_invalid", `${what}: ${PROXY_SHAPE}`);
  return proxy;
}

/** Variables that name proxies, in capitals. */
const ALL_VARIABLES: ReadonlySet<string> = new Set(["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"]);

/** The environment without them, for programs whose upstreams are all on this machine. */
export function withoutProxies(env: ProxySource["env"]): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ALL_VARIABLES.has(name.toUpperCase())));
}

/** An empty variable is none. */
function valueOf(env: ProxySource["env"], name: string): string | undefined {
  return env[name] || env[name.toLowerCase()] || undefined;
}

/** Why there is no tunnel, and who can change that. @param status of the proxy's answer to CONNECT */
export function proxyRefusal(proxy: Pick<OutgoingProxy, "name" | "authorization">, authority: string, status: number): string {
  const { name } = proxy;
  switch (status) {
    case 407:
      return proxy.authorization === undefined
        ? `the proxy ${name} wants a user and a password (407): put them into its address`
        : `the proxy ${name} does not accept the user and password of its address (407)`;
    case 403:
      return `the proxy ${name} does not allow connections to ${authority} (403)`;
    case 502:
    case 503:
    case 504:
      return `the proxy ${name} cannot reach ${authority} (${status})`;
    default:
      return `the proxy ${name} answered CONNECT ${authority} with ${status}`;
  }
}

/** "host:port", with brackets around an IPv6 address. */
export function authorityOf({ host, port }: ProxyTarget): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Whether NO_PROXY exempts the target. Entries are separated by commas or spaces: `*`; a name, which stands for its subdomains too; `.suffix` or
 * `*.suffix`, which stand for subdomains alone; an IP address; a CIDR range; all but a range with `:port` (an IPv6 address in brackets then).
 * Names are not resolved, and nothing is exempt that is not listed, loopback addresses neither. What is none of these exempts nothing.
 */
export function isExempt(noProxy: string, target: ProxyTarget): boolean {
  const { host, port } = target;
  // "name." is the same name.
  const normal = { host: host.toLowerCase().replace(/(?<=.)\.$/, ""), port };
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && exemptionOf(entry)(normal));
}

function exemptionOf(entry: string): Exemption {
  const [, network, bits] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (network !== undefined) return rangeOf(network, Number(bits));
  // An IPv6 address has colons of its own.
  const [, bare = entry, port] = isIP(entry) === 0 ? (/^(.+):(\d{1,5})$/.exec(entry) ?? []) : [];
  const name = bare.replace(/^\[(.*)\]$/, "$1");
  const matches = isIP(name) === 0 ? nameOf(name) : rangeOf(name, isIP(name) === 6 ? 128 : 32);
  return (target) => (port === undefined || Number(port) === target.port) && matches(target);
}

function rangeOf(network: string, bits: number): Exemption {
  const version = isIP(network);
  if (version === 0 || bits > (version === 6 ? 128 : 32)) return () => false;
  const range = new BlockList();
  range.addSubnet(network, bits, familyOf(version));
  return ({ host }) => isIP(host) !== 0 && range.check(host, familyOf(isIP(host)));
}

function nameOf(name: string): Exemption {
  if (name === "*") return () => true;
  const suffix = name.replace(/^\*?\./, "").replace(/(?<=.)\.$/, "");
  const isWithName = suffix.length === name.replace(/(?<=.)\.$/, "").length;
  return ({ host }) => isIP(host) === 0 && ((isWithName && host === suffix) || host.endsWith(`.${suffix}`));
}

function familyOf(version: number): "ipv4" | "ipv6" {
  return version === 6 ? "ipv6" : "ipv4";
}
