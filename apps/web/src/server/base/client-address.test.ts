import type { Socket } from "node:net";

import { describe, expect, test } from "vitest";

import { createClientAddress } from "./client-address.ts";

function ask(trusted: readonly string[], peer: string, forwarded?: string | string[]): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  // Only the peer's address is read of it.
  const socket = { remoteAddress: peer } as Socket;
  return createClientAddress(trusted)({ headers, socket });
}

describe("W16: the client's address", () => {
  test("W16: without trusted proxies it is the peer, whatever the client claims", () => {
    expect(ask([], "203.0.113.9", "10.0.0.1")).toBe("203.0.113.9");
    expect(ask(["10.0.0.0/8"], "203.0.113.9", "10.0.0.1, 198.51.100.1")).toBe("203.0.113.9");
  });

  test("W16: behind trusted proxies it is the nearest address that is none of them, not what a client wrote in front", () => {
    expect(ask(["10.0.0.0/8"], "10.1.1.1", "6.6.6.6, 203.0.113.9, 10.2.2.2")).toBe("203.0.113.9");
    expect(ask(["10.0.0.0/8"], "::ffff:10.1.1.1", "203.0.113.9")).toBe("203.0.113.9");
    expect(ask(["fd00::/8", "10.0.0.1"], "fd00::1", ["2001:db8::7, 10.0.0.1"])).toBe("2001:db8::7");
  });

  test.each([undefined, "", "unknown", "evil, ", "'; drop"])(
    "W16: a proxy that names no client (%j) counts as the client itself",
    (forwarded) => {
      expect(ask(["10.0.0.0/8"], "10.1.1.1", forwarded)).toBe("10.1.1.1");
    },
  );
});
