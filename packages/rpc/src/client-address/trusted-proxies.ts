import { BlockList, isIPv4, isIPv6 } from "node:net";

import { plainAddress } from "./address-group.ts";

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
