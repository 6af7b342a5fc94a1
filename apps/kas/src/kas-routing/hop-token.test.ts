import { createHmac, createSecretKey, randomBytes } from "node:crypto";

import { Fault } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { jwtVerify, SignJWT, UnsecuredJWT } from "jose";
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
  expect(target.verify(caller.sign("target", 42n))).toBe(42n);
});

test("a token is good once", async () => {
  const token = caller.sign("target", 1n);
  target.verify(token);
  expect(refusalOf(() => target.verify(token))).toBe("jwt_invalid");
});

test("a token is over after its five seconds and five of skew", async () => {
  const token = caller.sign("target", 1n);
  clock.advance(10_001);
  expect(refusalOf(() => target.verify(token))).toBe("jwt_invalid");
});

test("a missing token and an invalid one have different reasons", async () => {
  expect(refusalOf(() => target.verify(undefined))).toBe("token_missing");
  expect(refusalOf(() => target.verify("Basic x"))).toBe("token_missing");
  expect(refusalOf(() => target.verify("Bearer x"))).toBe("jwt_invalid");
});

test("a short secret is refused at the start", () => {
  expect(() => new HopTokens({ secrets: [new Secret("c2hvcnQ=")], kasId: "x", clock })).toThrow(/32 bytes/);
});

const key = createSecretKey(raw);
const FORGED: readonly { readonly title: string; readonly token: (nowS: number) => Promise<string> | string }[] = [
  { title: "for another kas", token: () => caller.sign("another", 1n).slice(7) },
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
  expect(refusalOf(() => target.verify(`Bearer ${text}`))).toBe("jwt_invalid");
});

test("the forged tokens differ from a good one in one thing each", async () => {
  const text = await jwt(Math.floor(clock.now() / 1_000)).sign(key);
  expect(target.verify(`Bearer ${text}`)).toBe(1n);
});

function claims(nowS: number): Record<string, unknown> {
  return { iss: "gitlab-kas", aud: "gitlab-kas/target", iat: nowS, nbf: nowS - 5, jti: "one", agent_id: "1" };
}

function jwt(nowS: number, changes: Record<string, unknown> = {}, alg = "HS256"): SignJWT {
  return new SignJWT({ ...claims(nowS), ...changes }).setProtectedHeader({ alg }).setExpirationTime(nowS + 5);
}

function refusalOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error.reason;
    throw error;
  }
  return "none";
}

test("M10: jose accepts what we sign, and reads the same from it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 0n, max: 9_223_372_036_854_775_807n }),
      fc.stringMatching(/^[0-9a-f]{1,16}$/),
      fc.integer({ min: 0, max: 4_000_000_000 }),
      async (agentId, kasId, atS) => {
        const there = new HopTokens({ secrets: [secret], kasId: "caller", clock: new ManualClock(atS * 1_000) });
        const { payload, protectedHeader } = await jwtVerify(there.sign(kasId, agentId).slice(7), key, {
          algorithms: ["HS256"],
          issuer: "gitlab-kas",
          audience: `gitlab-kas/${kasId}`,
          currentDate: new Date(atS * 1_000),
          requiredClaims: ["exp", "iat", "nbf", "jti"],
        });
        expect(protectedHeader).toEqual({ alg: "HS256" });
        expect(payload).toMatchObject({ agent_id: String(agentId), iat: atS, nbf: atS - 5, exp: atS + 5 });
      },
    ),
  );
});

test("M10: a token with one character changed is refused", () => {
  const token = caller.sign("target", 1n);
  fc.assert(
    fc.property(
      fc.integer({ min: 7, max: token.length - 1 }),
      fc.constantFrom("A", "z", "0", "-", "_", ".", "=", "+", "/", " "),
      (at, character) => {
        fc.pre(token[at] !== character);
        expect(refusalOf(() => target.verify(token.slice(0, at) + character + token.slice(at + 1)))).toMatch(
          /^(jwt_invalid|token_missing)$/,
        );
      },
    ),
  );
  expect(target.verify(token)).toBe(1n);
});

test("M10: a signed token whose header says more than the algorithm is refused", () => {
  for (const header of [{ alg: "HS256", crit: ["x"], x: 1 }, { alg: "HS256", typ: "JWT" }, { alg: "none" }]) {
    const claimsNow = { ...claims(Math.floor(clock.now() / 1_000)), exp: Math.floor(clock.now() / 1_000) + 5 };
    const text = [header, claimsNow].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const mac = createHmac("sha256", key).update(text).digest("base64url");
    expect(refusalOf(() => target.verify(`Bearer ${text}.${mac}`))).toBe("jwt_invalid");
  }
});

test("M10, T31: a full memory refuses new tokens and forgets no used one that is still good", () => {
  const small = new HopTokens({ secrets: [secret], kasId: "target", clock, maxRemembered: 3 });
  const tokens = Array.from({ length: 4 }, () => caller.sign("target", 1n));
  const [first = "", second = "", third = "", fourth = ""] = tokens;
  for (const token of [first, second, third]) small.verify(token);
  expect(refusalOf(() => small.verify(fourth))).toBe("rate_limited");
  for (const token of [first, second, third]) expect(refusalOf(() => small.verify(token))).toBe("jwt_invalid");
  clock.advance(10_001);
  expect(small.verify(caller.sign("target", 2n))).toBe(2n);
});
