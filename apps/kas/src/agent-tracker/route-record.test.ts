import { randomBytes } from "node:crypto";

import { Secret } from "@binnacle/telemetry";
import { expect, test } from "vitest";

import { decodeRoute, encodeRoute, routeKeyOf } from "./route-record.ts";

const key = routeKeyOf(new Secret(randomBytes(32).toString("base64")));
const entry = {
  agentId: 7n,
  kasId: "a1b2",
  urls: ["grpc://10.0.0.1:8155", "grpcs://kas.example:8155"],
  draining: false,
  epoch: 1,
  expiresAtMs: 1_800_000_000_000,
};

test("what was encoded is decoded", () => {
  expect(decodeRoute([key], 7n, encodeRoute(key, entry))).toEqual(entry);
});

test("the key is derived: the secret itself signs nothing", () => {
  const secret = new Secret(Buffer.alloc(32, 1).toString("base64"));
  expect(Buffer.from(routeKeyOf(secret)).equals(Buffer.alloc(32, 1))).toBe(false);
  expect(decodeRoute([routeKeyOf(secret)], 7n, encodeRoute(Buffer.alloc(32, 1), entry))).toBeUndefined();
});

test("an entry signed by the older of two secrets is good", () => {
  const newer = routeKeyOf(new Secret(randomBytes(32).toString("base64")));
  expect(decodeRoute([newer, key], 7n, encodeRoute(key, entry))).toEqual(entry);
});

test("an entry copied to another agent is ignored", () => {
  expect(decodeRoute([key], 8n, encodeRoute(key, entry))).toBeUndefined();
});

test("T20: a change of any single byte makes an entry void", () => {
  const good = encodeRoute(key, entry);
  // The last base64url digit of a MAC carries unused bits, so the dot before the payload is where that digit ends.
  const macEnd = good.indexOf(".") - 1;
  for (let at = 0; at < good.length; at += 1) {
    if (at === macEnd) continue;
    const bad = Buffer.from(good);
    bad[at] = (bad[at] ?? 0) ^ 1;
    expect(decodeRoute([key], 7n, bad), `byte ${at}`).toBeUndefined();
  }
});

test.each(["http://10.0.0.1:1", "grpc://user@host:1", "grpc://host:1/path", "file:///etc/passwd"])(
  "a signed entry with the address %s is ignored all the same",
  (url) => {
    expect(decodeRoute([key], 7n, encodeRoute(key, { ...entry, urls: [url] }))).toBeUndefined();
  },
);

test.each([Buffer.alloc(0), Buffer.from("."), Buffer.from("no dot"), randomBytes(64), Buffer.alloc(1_000_000, 65)])(
  "rubbish is ignored",
  (bytes) => {
    expect(decodeRoute([key], 7n, bytes)).toBeUndefined();
  },
);
