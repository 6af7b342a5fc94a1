import { SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { JwtGate } from "./jwt-gate.ts";

const SECRET = Buffer.alloc(64, 9);
const clock = new ManualClock();
const gate = new JwtGate({ secret: SECRET, issuers: ["gitlab", "gitlab.example.com"], clock });
const now = clock.now() / 1_000;
const GOOD = { iss: "gitlab", aud: "gitlab-kas", iat: now, nbf: now - 5, exp: now + 60 };

const signed = (payload: JWTPayload, alg = "HS256", secret = SECRET): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(secret);
const without = (claim: keyof typeof GOOD): JWTPayload => Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== claim));

test.each<[string, JWTPayload, string]>([
  ["HS256", GOOD, "HS256"],
  ["HS384", GOOD, "HS384"],
  ["HS512", GOOD, "HS512"],
  ["the issuer by host", { ...GOOD, iss: "gitlab.example.com" }, "HS256"],
  ["an audience among others", { ...GOOD, aud: ["x", "gitlab-kas"] }, "HS256"],
  ["a clock that is 4 s behind", { ...GOOD, exp: now - 4 }, "HS256"],
  ["five minutes", { ...GOOD, exp: now + 300 }, "HS256"],
  ["no iat and no nbf", { iss: GOOD.iss, aud: GOOD.aud, exp: GOOD.exp }, "HS256"],
])("a token passes with %s", async (_, payload, alg) => {
  await expect(gate.check(`Bearer ${await signed(payload, alg)}`)).resolves.toBeUndefined();
});

test.each<[string, JWTPayload]>([
  ["another audience", { ...GOOD, aud: "gitlab-kas-2" }],
  ["another issuer", { ...GOOD, iss: "gitlab-kas" }],
  ["no expiry", without("exp")],
  ["no issuer", without("iss")],
  ["no audience", without("aud")],
  ["an expiry that is over", { ...GOOD, iat: now - 60, exp: now - 6 }],
  ["a life of an hour", { ...GOOD, exp: now + 3_600 }],
  ["a life of an hour that nothing says the begin of", { iss: GOOD.iss, aud: GOOD.aud, exp: now + 3_600 }],
  ["an expiry next year that was issued just before", { ...GOOD, iat: now + 31_536_000 - 60, exp: now + 31_536_000 }],
  ["a begin in the future", { ...GOOD, nbf: now + 60, exp: now + 120 }],
])("T18: a token does not pass with %s", async (_, payload) => {
  await expect(gate.check(`Bearer ${await signed(payload)}`)).rejects.toMatchObject({
    reason: "jwt_invalid",
    message: "JWT validation failed",
  });
});

test("T18: a token without a signature does not pass", async () => {
  await expect(gate.check(`Bearer ${new UnsecuredJWT(GOOD).encode()}`)).rejects.toMatchObject({ reason: "jwt_invalid" });
});

test("a token of another secret does not pass", async () => {
  await expect(gate.check(`Bearer ${await signed(GOOD, "HS256", Buffer.alloc(64, 1))}`)).rejects.toMatchObject({ reason: "jwt_invalid" });
});

test.each([null, "", "Basic x", "Bearer"])("the authorization %j is no token", async (authorization) => {
  await expect(gate.check(authorization)).rejects.toMatchObject({ reason: "token_missing" });
});

test("garbage is no token", async () => {
  await expect(gate.check("Bearer a.b.c")).rejects.toMatchObject({ reason: "jwt_invalid" });
});

test("I10: two tokens in one request are none, even when one of them is good", async () => {
  const good = `Bearer ${await signed(GOOD)}`;
  await gate.check(good);
  for (const both of [`${good}, ${good}`, `${good}, Bearer x`, `Bearer x, ${good}`])
    await expect(gate.check(both)).rejects.toMatchObject({ reason: "jwt_invalid", message: expect.stringContaining("exactly one") });
});
