import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { randomSessionKeys, SessionKeyRing } from "../../config/session-keys.ts";
import { SESSION_SECONDS, SessionSeal } from "../session-seal.ts";
import { OidcSeal, type OidcSession } from "./oidc-seal.ts";

const SESSION: OidcSession = {
  id: "i".repeat(22),
  subject: "ann",
  providerSession: "of-the-provider",
  token: new Secret("access-canary"),
  refreshToken: new Secret("refresh-canary"),
  proxyToken: { token: new Secret("proxy-canary"), id: "7", endsAtMs: 5_000 },
  tokenBeganAtMs: 0,
  tokenEndsAtMs: 3_600_000,
  renewal: 3,
  signedInAtMs: 0,
  expiresAtMs: SESSION_SECONDS * 1_000,
  keyId: "",
};

test("what was sealed opens as it was, until twelve hours after the sign-in, however often it was renewed", async () => {
  const clock = new ManualClock();
  const ring = new SessionKeyRing(randomSessionKeys());
  const seal = new OidcSeal(ring, clock);
  const session = { ...SESSION, signedInAtMs: clock.now(), expiresAtMs: clock.now() + SESSION_SECONDS * 1_000 };
  const text = await seal.seal(session);
  const opened = await seal.open(text);
  expect(opened).toEqual({ ...session, keyId: ring.sealing.id });
  expect(opened?.token.reveal()).toBe("access-canary");
  clock.advance(SESSION_SECONDS * 1_000);
  expect(await seal.open(text)).toBeUndefined();
});

test("T88: it shows no token, and opens for no other purpose: neither as a notice nor as the session of a pasted token", async () => {
  const clock = new ManualClock();
  const ring = new SessionKeyRing(randomSessionKeys());
  const session = { ...SESSION, signedInAtMs: clock.now(), expiresAtMs: clock.now() + SESSION_SECONDS * 1_000 };
  const text = await new OidcSeal(ring, clock).seal(session);
  expect(text).not.toContain("canary");
  expect(JSON.stringify(session)).not.toContain("canary");
  expect(await new OidcSeal(ring, clock, "renewed").open(text)).toBeUndefined();
  expect(await new SessionSeal(ring, clock).open(text)).toBeUndefined();
  expect(await new OidcSeal(ring, clock).open(await new SessionSeal(ring, clock).seal(new Secret("x")))).toBeUndefined();
  expect(await new OidcSeal(new SessionKeyRing(randomSessionKeys()), clock).open(text)).toBeUndefined();
});

test("a session that claims to last longer than any is none", async () => {
  const clock = new ManualClock();
  const seal = new OidcSeal(new SessionKeyRing(randomSessionKeys()), clock);
  const expiresAtMs = clock.now() + (SESSION_SECONDS + 60) * 1_000;
  expect(await seal.open(await seal.seal({ ...SESSION, signedInAtMs: clock.now(), expiresAtMs }))).toBeUndefined();
});
