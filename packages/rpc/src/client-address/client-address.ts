import { isIP } from "node:net";

import { plainAddress } from "./address-group.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

/** Where a request came from, by the socket and by what proxies wrote. */
export interface RequestOrigin {
  /** Address of the socket's other end; undefined for a Unix socket. */
  readonly peer: string | undefined;
  /** `X-Forwarded-For`, all lines of it. */
  readonly forwardedFor?: string | readonly string[] | undefined;
}

/** Further entries of `X-Forwarded-For` are ignored; no real chain of proxies is this long. */
const MAX_PROXIES = 32;

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
