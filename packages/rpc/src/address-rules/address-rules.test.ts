import fc from "fast-check";
import { expect, test } from "vitest";

import { addressKey, forbiddenAddress, privateAddress } from "./address-rules.ts";

test.each([
  "10.0.0.7",
  "192.168.1.2",
  "172.20.3.4",
  "8.8.8.8",
  "100.64.0.1",
  "fd12:3456::7",
  "2a00:1450:4001::5",
  "::ffff:10.0.0.7",
  "64:ff9b::10.0.0.7",
])("a service may have the address %s", (address) => expect(forbiddenAddress(address)).toBeUndefined());

test.each([
  ["127.0.0.1", "loopback"],
  ["127.9.9.9", "loopback"],
  ["0.0.0.0", "unspecified"],
  ["169.254.169.254", "metadata"],
  ["169.254.1.1", "link-local"],
  ["100.100.100.200", "metadata"],
  ["168.63.129.16", "metadata"],
  ["192.0.0.192", "metadata"],
  ["224.0.0.1", "multicast"],
  ["239.1.1.1", "multicast"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "unspecified"],
  ["fe80::1", "link-local"],
  ["febf::1", "link-local"],
  ["ff02::1", "multicast"],
  ["fd00:ec2::254", "metadata"],
  ["fd20:ce::254", "metadata"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["0:0:0:0:0:ffff:a9fe:a9fe", "metadata"],
  ["::ffff:0:127.0.0.1", "loopback"],
  ["::127.0.0.1", "loopback"],
  ["64:ff9b::169.254.169.254", "metadata"],
  ["64:ff9b:1::7f00:1", "loopback"],
  ["2002:7f00:1::", "loopback"],
  ["fe80::1%eth0", "no IP address"],
  ["localhost", "no IP address"],
  ["0x7f.1", "no IP address"],
  ["2130706433", "no IP address"],
  ["", "no IP address"],
])("T36: no service may have the address %s: %s", (address, why) => {
  expect(forbiddenAddress(address)).toContain(why);
});

test("T36: every notation of an IPv4 address gets the same verdict", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const low = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      for (const form of [`::ffff:${address}`, `::ffff:${low}`, `64:ff9b::${low}`, `0:0:0:0:0:FFFF:${low}`, `2002:${low}::`]) {
        expect(forbiddenAddress(form)).toBe(forbiddenAddress(address));
        expect(addressKey(form)).toBe(addressKey(address));
      }
    }),
  );
});

test("an IPv6 address has one key, however it is written", () => {
  expect(addressKey("2001:DB8::1")).toBe(addressKey("2001:0db8:0:0:0:0:0:1"));
  expect(addressKey("2001:db8::1")).not.toBe(addressKey("2001:db8::2"));
  expect(addressKey("host")).toBeUndefined();
});

test.each([
  "10.1.2.3",
  "172.31.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "198.19.0.1",
  "fd12::1",
  "::ffff:10.0.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "::1",
  "host",
])("%s is none of the public network", (address) => {
  expect(privateAddress(address)).toBeDefined();
});

test.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::808:808"])("%s is of the public network", (address) => {
  expect(privateAddress(address)).toBeUndefined();
});
