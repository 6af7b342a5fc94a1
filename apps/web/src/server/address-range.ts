import { isIP } from "node:net";

/** A range of IP addresses: those that share the first `prefix` bits with `address`. */
export interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

/** Reads an address or a range in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3). @returns `undefined` for anything else */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0 || address.includes("%")) return undefined;
  const longest = version === 4 ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined;
  const prefix = bits === undefined ? longest : Number(bits);
  return prefix > longest ? undefined : { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}
