import { isIPv4, isIPv6 } from "node:net";

/**
 * The word an address is counted by: one IPv4 address, or the /64 of an IPv6 address (RFC 6177: a site has at least that much, so a
 * single one of its addresses means nothing). Whatever is no address is one group.
 */
export function addressGroup(address: string | undefined): string {
  const plain = plainAddress(address ?? "");
  if (isIPv4(plain)) return plain;
  return isIPv6(plain) ? `${leadingGroups(plain).join(":")}::/64` : "unknown";
}

/** An IPv4 address inside of IPv6 (`::ffff:192.0.2.1`, as dual-stack sockets say it) as IPv4, and IPv6 without its zone. */
export function plainAddress(address: string): string {
  const zone = address.indexOf("%");
  const withoutZone = zone < 0 ? address : address.slice(0, zone);
  const mapped = withoutZone.startsWith("::") ? /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1] : undefined;
  return mapped !== undefined && isIPv4(mapped) ? mapped : withoutZone;
}

/** The first four groups of a valid IPv6 address, without leading zeros. */
function leadingGroups(address: string): readonly string[] {
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  // An IPv4 address at the end stands for two groups.
  const length = front.length + back.length + ([...front, ...back].some((group) => group.includes(".")) ? 1 : 0);
  const gap = tail === undefined ? [] : Array.from({ length: 8 - length }, () => "0");
  return [...front, ...gap, ...back].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
}
