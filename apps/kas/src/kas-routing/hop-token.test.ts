import { createSecretKey, randomBytes } from "node:crypto";

import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, expect, test } from "vitest";

import { HopTokens } from "./hop-token.ts";

const raw = randomBytes(32);
const secret = new Secret(raw.toString("base64"));
const other = new Secret(randomBytes(32).toString("base64"));

let clock: ManualClock;
let caller: HopTokens;
let target: HopTokens;

beforeEach(() => {
  clock = new ManualClock();
  caller = new HopTokens({ secrets: [secret], kasId: "caller", clock });
  target = new HopTokens({ secrets: [other, secret], kasId: "target", clock });
});

test("a token names its agent, and a secret that is being replaced is still good", async () => {
  expect(await target.verify(await caller.sign("target", 42n))).toBe(42n);
});

test("a token is good once", async () => {
  const token = await caller.sign("target", 1n);
  await target.verify(token);
  await expect(target.verify(token)).rejects.toMatchObject({ reason: "jwt_invalid" });
});

test("a token is over after its five seconds and five of skew", async () => {
  const token = await caller.sign("target", 1n);
  clock.advance(10_001);
  await expect(target.verify(token)).rejects.toMatchObject({ reason: "jwt_invalid" });
});

test("a missing token is told apart from a bad one", async () => {
  await expect(target.verify(undefined)).rejects.toMatchObject({ reason: "token_missing" });
  await expect(target.verify("Basic x")).rejects.toMatchObject({ reason: "token_missing" });
  await expect(target.verify("Bearer x")).rejects.toMatchObject({ reason: "jwt_invalid" });
});

test("a short secret is refused at the start", () => {
  expect(() => new HopTokens({ secrets: [new Secret("c2hvcnQ=")], kasId: "x", clock })).toThrow(/32 bytes/);
});

const key = createSecretKey(raw);
const FORGED: readonly { readonly title: string; readonly token: (nowS: number) => Promise<string> | string }[] = [
  { title: "for another kas", token: () => caller.sign("another", 1n).then((text) => text.slice(7)) },
  { title: "of another issuer", token: (now) => jwt(now).setIssuer("gitlab").sign(key) },
  { title: "without an expiry", token: (now) => new SignJWT(claims(now)).setProtectedHeader({ alg: "HS256" }).sign(key) },
  {
    title: "that lives for an hour",
    token: (now) =>
      jwt(now)
        .setExpirationTime(now + 3_600)
        .sign(key),
  },
  { title: "without an agent", token: (now) => jwt(now, { agent_id: undefined }).sign(key) },
  { title: "without an id of its own", token: (now) => jwt(now, { jti: undefined }).sign(key) },
  { title: "of algorithm HS512", token: (now) => jwt(now, {}, "HS512").sign(key) },
  { title: "signed with another secret", token: (now) => jwt(now).sign(createSecretKey(randomBytes(32))) },
  { title: "of no algorithm", token: (now) => new UnsecuredJWT({ ...claims(now), exp: now + 5 }).encode() },
];

test.each(FORGED)("T18, T31: a token $title is refused", async ({ token }) => {
  const text = await token(Math.floor(clock.now() / 1_000));
  await expect(target.verify(`Bearer ${text}`)).rejects.toMatchObject({ reason: "jwt_invalid" });
});

test("the forged tokens differ from a good one in one thing each", async () => {
  const text = await jwt(Math.floor(clock.now() / 1_000)).sign(key);
  expect(await target.verify(`Bearer ${text}`)).toBe(1n);
});

function claims(nowS: number): Record<string, unknown> {
  return { iss: "gitlab-kas", aud: "gitlab-kas/target", iat: nowS, nbf: nowS - 5, jti: "one", agent_id: "1" };
}

function jwt(nowS: number, changes: Record<string, unknown> = {}, alg = "HS256"): SignJWT {
  return new SignJWT({ ...claims(nowS), ...changes }).setProtectedHeader({ alg }).setExpirationTime(nowS + 5);
}
