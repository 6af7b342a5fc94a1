import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

import { parseAddressRange } from "./address-range.ts";

/** Says which client a request comes from: an IP address, IPv4 ones in dotted form; empty when the connection is already gone. */
export type ClientAddress = (request: Pick<IncomingMessage, "headers" | "socket">) => string;

/** The longest list of proxies that is looked at. */
const MOST_HOPS = 20;

/**
 * The peer of the connection, or, when that is a trusted proxy, the nearest address of `X-Forwarded-For` that is none: every
 * proxy appends the address it sees, so what stands further left was written by a client and proves nothing.
 *
 * @param trustedProxies addresses and ranges in CIDR notation
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const range of trustedProxies.flatMap((text) => parseAddressRange(text) ?? []))
    trusted.addSubnet(range.address, range.prefix, range.family);
  const isTrusted = (address: string): boolean => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  return ({ headers, socket }) => {
    let client = plain(socket.remoteAddress ?? "");
    const forwarded = headers["x-forwarded-for"];
    const hops = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",").slice(-MOST_HOPS);
    while (client !== "" && isTrusted(client)) {
      const hop = plain((hops.pop() ?? "").trim());
      // A proxy that does not say for whom it asks is the client itself.
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** The client's address as `createWebServer` has written it over whatever the client sent; empty without such a server. */
export function clientAddressOf(headers: Headers): string {
  return headers.get("x-forwarded-for") ?? "";
}

/**
 * Whom a limit counts: an IPv4 address, or the first 64 bits of an IPv6 address, of which every customer has all the rest
 * (RFC 6177 §2).
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::", 2) ?? [];
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** IPv4 in dotted form, also when it arrives inside an IPv6 address (RFC 4291 §2.5.5.2). */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
