import fc from "fast-check";
import { expect, test } from "vitest";

import { addressGroup } from "./address-group.ts";
import { clientAddressOf, NO_TRUSTED_PROXIES, parseTrustedProxies } from "./client-address.ts";

const proxies = parseTrustedProxies(["10.0.0.0/8", "2001:db8:ffff::/48", "192.0.2.7"]);
const outside = fc.ipV4().filter((address) => !proxies.has(address));
const proxy = fc.nat(0xff_ff_ff).map((value) => `10.${value >> 16}.${(value >> 8) & 255}.${value & 255}`);

test.each([
  ["203.0.113.9", undefined, "203.0.113.9"],
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["10.1.1.1", undefined, "10.1.1.1"],
  ["10.1.1.1", "198.51.100.1", "198.51.100.1"],
  ["::ffff:10.1.1.1", "198.51.100.1", "198.51.100.1"],
  ["10.1.1.1", "1.1.1.1, 198.51.100.1, 10.2.2.2", "198.51.100.1"],
  ["10.1.1.1", "1.1.1.1, nonsense, 10.2.2.2", "10.2.2.2"],
  ["10.1.1.1", "", "10.1.1.1"],
  ["10.1.1.1", "10.3.3.3,10.2.2.2", "10.3.3.3"],
  ["10.1.1.1", "198.51.100.1:4711", "198.51.100.1"],
  ["10.1.1.1", "[2001:db8::1]:4711", "2001:db8::1"],
  ["2001:db8:ffff::1", "2001:db8::1", "2001:db8::1"],
  ["192.0.2.7", "::ffff:198.51.100.1", "198.51.100.1"],
])("a peer %s that forwards for %j is the client %s", (peer, forwardedFor, expected) => {
  expect(clientAddressOf({ peer, forwardedFor }, proxies)).toBe(expected);
});

test("several lines of the header are one list", () => {
  expect(clientAddressOf({ peer: "10.1.1.1", forwardedFor: ["1.1.1.1", "198.51.100.1", "10.2.2.2"] }, proxies)).toBe("198.51.100.1");
});

test("the peer of a Unix socket is trusted only when that is configured", () => {
  const origin = { peer: undefined, forwardedFor: "198.51.100.1" };
  expect(clientAddressOf(origin, proxies)).toBeUndefined();
  expect(clientAddressOf(origin, parseTrustedProxies(["unix:"]))).toBe("198.51.100.1");
});

test("XB2: X-Forwarded-For counts only from a trusted proxy", () => {
  fc.assert(
    fc.property(outside, fc.oneof(fc.string(), fc.array(fc.ipV4())), (peer, written) => {
      const forwardedFor = typeof written === "string" ? written : written.join(", ");
      expect(clientAddressOf({ peer, forwardedFor }, proxies)).toBe(peer);
      expect(clientAddressOf({ peer, forwardedFor }, NO_TRUSTED_PROXIES)).toBe(peer);
    }),
  );
});

test("XB2: behind trusted proxies the client is the address they saw, whatever stands to the left of it", () => {
  fc.assert(
    fc.property(outside, fc.array(proxy, { minLength: 1, maxLength: 5 }), fc.string(), (client, [peer, ...hops], written) => {
      const forwardedFor = [written, client, ...hops].join(",");
      expect(clientAddressOf({ peer, forwardedFor }, proxies)).toBe(client);
    }),
  );
});

test("an answer is always an address, and a header of 100,000 entries is none of our trouble", () => {
  const endless = Array.from({ length: 100_000 }, () => "10.1.1.1").join(",");
  expect(clientAddressOf({ peer: "10.0.0.1", forwardedFor: endless }, proxies)).toBe("10.1.1.1");
});

test.each(["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "host.example", "", "2001:db8::/129", "fe80::1%eth0", "10.0.0/8"])(
  "%j is no network",
  (entry) => {
    expect(() => parseTrustedProxies([entry])).toThrow(/is no network/);
  },
);

test("a network holds what begins like it and nothing else", () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (network, bits, address) => {
      const number = (text: string): bigint => text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
      const inside = number(network) >> BigInt(32 - bits) === number(address) >> BigInt(32 - bits);
      const list = parseTrustedProxies([`${network}/${bits}`]);
      expect(list.has(address)).toBe(inside);
      expect(list.has(`::ffff:${address}`)).toBe(inside);
    }),
  );
});

test.each([
  ["198.51.100.1", "198.51.100.1"],
  ["::ffff:198.51.100.1", "198.51.100.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1:2:3:4::", "1:2:3:4::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  [undefined, "unknown"],
  ["nonsense", "unknown"],
])("%s is counted as %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test("XB2: all addresses of a /64 are one group, however they are written", () => {
  const half = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 });
  const text = (groups: readonly number[], pad: boolean): string =>
    groups.map((group) => (pad ? group.toString(16).padStart(4, "0").toUpperCase() : group.toString(16))).join(":");
  fc.assert(
    fc.property(half, half, half, (site, one, other) => {
      fc.pre(site.some((group) => group !== 0));
      expect(addressGroup(`${text(site, true)}:${text(one, false)}`)).toBe(addressGroup(`${text(site, false)}:${text(other, true)}`));
    }),
  );
});
