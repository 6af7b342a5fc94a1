import { isIP, BlockList, isIPv4, isIPv6 } from "node:net";

import { plainAddress } from "./address-group.ts";

/** Where a request came from, by the socket and by what proxies wrote. */
export interface RequestOrigin {
  /** Address of the socket's other end; undefined for a Unix socket. */
  readonly peer: string | undefined;
  /** `X-Forwarded-For`, all lines of it. */
  readonly forwardedFor?: string | readonly string[] | undefined;
}

/** Further entries of `X-Forwarded-For` are ignored; no real chain of proxies is this long. */
const MAX_PROXIES = 32;

/** Peers without an address, those of a Unix socket, under this word. */
const UNIX_PEERS = "unix:";

/** Proxies whose `X-Forwarded-For` is believed. */
export interface TrustedProxies {
  /** @param address an IP address, or undefined for the peer of a Unix socket */
  has(address: string | undefined): boolean;
}

/** No peer is trusted. */
export const NO_TRUSTED_PROXIES: TrustedProxies = { has: () => false };

/**
 * The address of the client: that of the socket, or, where a trusted proxy is at the other end, the right-most address of
 * `X-Forwarded-For` that is no trusted proxy's. What stands further left was written by the client itself.
 *
 * @returns undefined when only a Unix socket is known; the last trusted proxy when the header is empty or has something that is no address
 */
export function clientAddressOf({ peer, forwardedFor }: RequestOrigin, trusted: TrustedProxies): string | undefined {
  let address = peer === undefined ? undefined : plainAddress(peer);
  if (forwardedFor === undefined || !trusted.has(address)) return address;
  const lines = typeof forwardedFor === "string" ? [forwardedFor] : (forwardedFor ?? []);
  for (const entry of lines.join(",").split(",").slice(-MAX_PROXIES).toReversed()) {
    const next = addressIn(entry.trim());
    if (next === undefined) return address;
    address = next;
    if (!trusted.has(address)) return address;
  }
  return address;
}

/** An address that may have a port, as some proxies write it: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function addressIn(entry: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) === 0 ? undefined : plainAddress(bare);
}

/**
 * The proxies of a list.
 *
 * @param entries "192.0.2.0/24", "2001:db8::/32", a single address, or "unix:" for the peers of Unix sockets
 * @throws Error that names the entry that is none of them
 */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const entry of entries) if (entry !== UNIX_PEERS) addEntry(list, entry);
  const unix = entries.includes(UNIX_PEERS);
  return {
    has(address) {
      if (address === undefined) return unix;
      const plain = plainAddress(address);
      const family = familyOf(plain);
      return family !== undefined && list.check(plain, family);
    },
  };
}

function addEntry(list: BlockList, entry: string): void {
  const [network = "", bits, ...rest] = entry.split("/");
  const family = familyOf(network);
  const longest = family === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (family === undefined || rest.length > 0 || !(prefix <= longest))
    throw new Error(`"${entry}" is no network; write it like 192.0.2.0/24 or 2001:db8::/32`);
  list.addSubnet(network, prefix, family);
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  if (isIPv4(address)) return "ipv4";
  return isIPv6(address) && !address.includes("%") ? "ipv6" : undefined;
}
