import { Fault } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { base64url, SignJWT } from "jose";
import { Agent } from "undici";
import { afterEach, beforeEach, expect, test } from "vitest";

import { IdTokenVerifier, type IdTokenVerifierOptions } from "./id-token-verifier.ts";
import { IdTokenIssuer } from "./testing/id-token-issuer.ts";

let issuer: IdTokenIssuer;
let dispatcher: Agent;
let clock: ManualClock;
beforeEach(async () => {
  issuer = await IdTokenIssuer.start();
  dispatcher = new Agent();
  clock = new ManualClock(Date.now());
});
afterEach(async () => {
  await dispatcher.destroy();
  await issuer.stop();
});

function verifier(options: Partial<IdTokenVerifierOptions> = {}): IdTokenVerifier {
  const claims = { usernameClaim: "sub", groupsClaim: "groups" };
  return new IdTokenVerifier({ issuerUrl: issuer.url, clientId: "binnacle", ...claims, clock, dispatcher, keyCooldownMs: 0, ...options });
}

async function reasonOf(verifying: Promise<unknown>): Promise<string> {
  try {
    await verifying;
  } catch (error) {
    if (error instanceof Fault) return error.reason;
    throw error;
  }
  return "verified";
}

test("a token of the issuer gives the user's name, groups and end", async () => {
  const exp = Math.floor(clock.now() / 1_000) + 600;
  const verified = await verifier().verify(await issuer.token({ groups: ["backend", "on call"], exp }));
  expect(verified).toEqual({ name: "alice", groups: ["backend", "on call"], expiresAtMs: exp * 1_000 });
});

test("other claims can name the user and the groups; one group may be a text", async () => {
  const token = await issuer.token({ email: "a@example.test", roles: "backend" });
  expect(await verifier({ usernameClaim: "email", groupsClaim: "roles" }).verify(token)).toMatchObject({
    name: "a@example.test",
    groups: ["backend"],
  });
});

test("discovery and keys are loaded once for many tokens", async () => {
  const verifying = verifier();
  await Promise.all([1, 2, 3].map(async () => verifying.verify(await issuer.token())));
  expect(issuer.requests).toEqual(["/.well-known/openid-configuration", "/keys"]);
});

const hour = 3_600;
test.each<[string, (now: number) => Readonly<Record<string, unknown>>]>([
  ["that has expired", (now) => ({ exp: now - 60 })],
  ["that is not valid yet", (now) => ({ nbf: now + 60 })],
  ["without an end", () => ({ exp: undefined })],
  ["of another issuer", () => ({ iss: "https://elsewhere.example" })],
  ["for another client", () => ({ aud: "other" })],
  ["that was issued to another client", () => ({ aud: ["binnacle", "other"], azp: "other" })],
  ["without a user", () => ({ sub: undefined })],
  ["with a number as user", () => ({ sub: 7 })],
  ["of a user that Kubernetes owns", () => ({ sub: "system:admin" })],
  ["of a user whose name has an invisible sign", () => ({ sub: "al\u202Eice" })],
  ["with a group that Kubernetes owns", () => ({ groups: ["system:masters"] })],
  ["with groups that are no names", () => ({ groups: [["backend"]] })],
  ["with groups that are no list", () => ({ groups: { backend: true } })],
])("T67: a token %s is not accepted", async (_, claims) => {
  const token = await issuer.token(claims(Math.floor(clock.now() / 1_000)));
  expect(await reasonOf(verifier().verify(token))).toBe("token_unknown");
});

test("an address that is not verified names nobody", async () => {
  const token = (verified: boolean) => issuer.token({ email: "a@example.test", email_verified: verified });
  const byEmail = verifier({ usernameClaim: "email" });
  expect(await reasonOf(byEmail.verify(await token(false)))).toBe("token_unknown");
  expect(await reasonOf(byEmail.verify(await token(true)))).toBe("verified");
});

test("T67: over 200 groups are refused with a sentence", async () => {
  const groups = Array.from({ length: 201 }, (_, index) => `g${index}`);
  await expect(verifier().verify(await issuer.token({ groups }))).rejects.toMatchObject({
    reason: "invalid_request",
    message: "the ID token names 201 groups, at most 200 are accepted: let the provider send fewer",
  });
});

test("T67: an access token of the issuer is no ID token", async () => {
  expect(await reasonOf(verifier().verify(await issuer.token({}, { typ: "at+jwt" })))).toBe("token_unknown");
  expect(await reasonOf(verifier().verify(await issuer.token({}, { typ: "JWT" })))).toBe("verified");
});

test("T67: neither an unsigned token nor one that is signed with the public key as a secret is accepted", async () => {
  const claims = { iss: issuer.url, aud: "binnacle", sub: "alice", iat: 1, exp: Math.floor(clock.now() / 1_000) + hour };
  const unsigned = [{ alg: "none" }, claims].map((part) => base64url.encode(JSON.stringify(part))).join(".");
  expect(await reasonOf(verifier().verify(`${unsigned}.`))).toBe("token_unknown");
  const keys = await (await fetch(`${issuer.url}/keys`)).text();
  const symmetric = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(keys));
  expect(await reasonOf(verifier().verify(symmetric))).toBe("token_unknown");
});

test.each(["", "a.b.c", "x".repeat(100), "..", "{}"])("%j is no token", async (token) => {
  expect(await reasonOf(verifier().verify(token))).toBe("token_unknown");
});

test("a changed claim breaks the signature", async () => {
  const [header = "", , signature = ""] = (await issuer.token()).split(".");
  const payload = base64url.encode(JSON.stringify({ iss: issuer.url, aud: "binnacle", sub: "mallory", iat: 1, exp: 9_999_999_999 }));
  expect(await reasonOf(verifier().verify([header, payload, signature].join(".")))).toBe("token_unknown");
});

test("after a rotation tokens of the new key are accepted, and those of the former one are not", async () => {
  const verifying = verifier();
  const former = await issuer.token();
  expect(await reasonOf(verifying.verify(former))).toBe("verified");
  await issuer.rotate();
  expect(await reasonOf(verifying.verify(await issuer.token()))).toBe("verified");
  expect(await reasonOf(verifying.verify(former))).toBe("token_unknown");
});

test("unknown keys do not make the issuer busy: keys are loaded again only after the cooldown", async () => {
  const verifying = verifier({ keyCooldownMs: 30_000 });
  await verifying.verify(await issuer.token());
  const strange = await issuer.token({}, { kid: "another" });
  for (let times = 0; times < 5; times += 1) expect(await reasonOf(verifying.verify(strange))).toBe("token_unknown");
  expect(issuer.requests.filter((path) => path === "/keys")).toHaveLength(1);
});

test("a clock that is 20 s off does not matter, one that is a minute off does", async () => {
  const exp = Math.floor(clock.now() / 1_000);
  clock.advance(20_000);
  expect(await reasonOf(verifier().verify(await issuer.token({ exp })))).toBe("verified");
  clock.advance(40_000);
  expect(await reasonOf(verifier().verify(await issuer.token({ exp })))).toBe("token_unknown");
});

test.each<[string, IdTokenIssuer["intercept"]]>([
  ["answers with an error", (_, response) => Boolean(response.writeHead(500).end())],
  ["answers with HTML", (_, response) => Boolean(response.end("<html>"))],
  ["redirects", (_, response) => Boolean(response.writeHead(302, { location: "/elsewhere" }).end())],
  ["answers with megabytes", (_, response) => Boolean(response.end("x".repeat(2_000_000)))],
  [
    "says that it is another",
    (_, response) => Boolean(response.end(JSON.stringify({ issuer: "https://other.example", jwks_uri: "https://x.example" }))),
  ],
  ["has keys in a file", (_, response) => Boolean(response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: "file:///etc/passwd" })))],
])("an issuer that %s is unavailable, and is asked again after five seconds", async (_, intercept) => {
  const verifying = verifier();
  const token = await issuer.token();
  issuer.intercept = intercept;
  expect(await reasonOf(verifying.verify(token))).toBe("main_application_unavailable");
  issuer.intercept = () => false;
  expect(await reasonOf(verifying.verify(token))).toBe("main_application_unavailable");
  clock.advance(5_000);
  expect(await reasonOf(verifying.verify(token))).toBe("verified");
});

test("an issuer that does not listen is unavailable", async () => {
  const token = await issuer.token();
  await issuer.stop();
  expect(await reasonOf(verifier().verify(token))).toBe("main_application_unavailable");
  issuer = await IdTokenIssuer.start();
});
