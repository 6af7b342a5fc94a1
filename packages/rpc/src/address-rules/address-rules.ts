import { isIPv4, isIPv6 } from "node:net";

/** An IP address as bytes, 4 or 16; undefined when the text is none. Zones are not addresses of a service. */
function addressBytes(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split(".").map(Number));
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const hex = (high: string | undefined, low: string | undefined): string => (Number(high) * 256 + Number(low)).toString(16);
  const words = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : text;
  const [head = "", tail] = words.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...left, ...Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => "0"), ...right];
  return Uint8Array.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}

/** One word for an address in whatever form: the IPv4 address that an IPv6 one stands for is the same. */
export function addressKey(text: string): string | undefined {
  const bytes = addressBytes(text);
  return bytes && Buffer.from(embeddedIpv4(bytes) ?? bytes).toString("hex");
}

interface Range {
  readonly prefix: readonly number[];
  readonly bits: number;
  readonly what: string;
}

const V4: readonly Range[] = [
  { prefix: [0], bits: 8, what: "unspecified" },
  { prefix: [127], bits: 8, what: "loopback" },
  { prefix: [169, 254], bits: 16, what: "link-local or a metadata address" },
  // Metadata and host agents of clouds that keep them elsewhere: Alibaba, Azure, Oracle.
  { prefix: [100, 100, 100, 200], bits: 32, what: "a metadata address" },
  { prefix: [168, 63, 129, 16], bits: 32, what: "a metadata address" },
  { prefix: [192, 0, 0, 0], bits: 24, what: "a metadata address" },
  { prefix: [224], bits: 4, what: "multicast" },
  { prefix: [240], bits: 4, what: "reserved or broadcast" },
];
const V6: readonly Range[] = [
  { prefix: [0xfe, 0x80], bits: 10, what: "link-local" },
  { prefix: [0xfe, 0xc0], bits: 10, what: "site-local" },
  { prefix: [0xff], bits: 8, what: "multicast" },
  // Metadata of AWS and Google.
  { prefix: [0xfd, 0x00, 0x0e, 0xc2], bits: 32, what: "a metadata address" },
  { prefix: [0xfd, 0x20, 0x00, 0xce], bits: 32, what: "a metadata address" },
];
/** IPv6 prefixes behind which an IPv4 address stands, and where: mapped, compatible, translated, NAT64 (both), 6to4. */
const EMBEDDING: readonly { readonly prefix: readonly number[]; readonly bits: number; readonly at: number }[] = [
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], bits: 96, at: 12 },
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], bits: 96, at: 12 },
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96, at: 12 },
  { prefix: [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96, at: 12 },
  { prefix: [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01], bits: 48, at: 12 },
  { prefix: [0x20, 0x02], bits: 16, at: 2 },
];

const PRIVATE_V4: readonly Range[] = [
  { prefix: [10], bits: 8, what: "private" },
  { prefix: [172, 16], bits: 12, what: "private" },
  { prefix: [192, 168], bits: 16, what: "private" },
  { prefix: [100, 64], bits: 10, what: "of a carrier's network" },
  { prefix: [198, 18], bits: 15, what: "for benchmarks" },
];
const PRIVATE_V6: readonly Range[] = [{ prefix: [0xfc], bits: 7, what: "private" }];

/** Why an address is none of the public network, as the end of a sentence; undefined: it is. A forbidden address counts as none. */
export function privateAddress(text: string): string | undefined {
  const forbidden = forbiddenAddress(text);
  const bytes = addressBytes(text);
  if (forbidden !== undefined || bytes === undefined) return forbidden ?? "no IP address";
  const inner = embeddedIpv4(bytes) ?? bytes;
  return rangeOf(inner, inner.length === 4 ? PRIVATE_V4 : PRIVATE_V6);
}

/**
 * Why no service may have this address, as the end of a sentence; undefined: it may. What an IPv6 address stands for decides, and what cannot be
 * read is refused (T3).
 */
export function forbiddenAddress(text: string): string | undefined {
  const bytes = addressBytes(text);
  if (bytes === undefined) return "no IP address";
  const inner = embeddedIpv4(bytes);
  // ::1 stands for 0.0.0.1, and :: for 0.0.0.0.
  if (inner !== undefined) return rangeOf(inner, V4);
  return rangeOf(bytes, bytes.length === 4 ? V4 : V6);
}

function embeddedIpv4(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length !== 16) return undefined;
  const form = EMBEDDING.find((range) => isIn(bytes, range));
  return form && bytes.subarray(form.at, form.at + 4);
}

function rangeOf(bytes: Uint8Array, ranges: readonly Range[]): string | undefined {
  return ranges.find((range) => isIn(bytes, range))?.what;
}

function isIn(bytes: Uint8Array, { prefix, bits }: { readonly prefix: readonly number[]; readonly bits: number }): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff;
    if (((bytes[bit / 8] ?? 0) & mask) !== ((prefix[bit / 8] ?? 0) & mask)) return false;
  }
  return true;
}
