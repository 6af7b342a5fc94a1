import { BlockList, isIP } from "node:net";

/** Where a connection is wanted to. */
export interface ProxyTarget {
  /** Name or IP address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** One entry of NO_PROXY. */
type Exemption = (target: ProxyTarget) => boolean;

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
