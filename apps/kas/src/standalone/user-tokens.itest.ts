import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { hashPassword, hashToken, type OrganizationFiles } from "@binnacle/organization";
import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { SignJWT } from "jose";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { noRefusals } from "../main-application/refused-credentials.ts";
import { OrganizationAuthorizer } from "./organization-authorizer.ts";
import { OrganizationFile } from "./testing/organization-file.ts";
import { UserTokens } from "./user-tokens.ts";
import { UserTokensEndpoint } from "./user-tokens-endpoint.ts";

const SECRET = Buffer.alloc(32, 7);
const WEB_SECRET = Buffer.alloc(32, 8);
const ISSUER = "https://binnacle.example.test";
const PASSWORD = "correct horse battery";
const MINUTE_MS = 60_000;
const asking = { signal: new AbortController().signal };

let hash: string;
let otherHash: string;
beforeAll(async () => {
  [hash, otherHash] = [await hashPassword(PASSWORD), await hashPassword("another password")];
});

/** Alice, with other fields. */
const organization = (alice: object | undefined): object => ({
  projects: [{ id: 3, path: "shop/infra" }],
  agents: [{ id: 7, name: "prod", project: "shop/infra", user_access: { access_as: "user", groups: ["backend"] } }],
  users: alice === undefined ? [] : [{ name: "alice", password: hash, groups: ["backend"], ...alice }],
});

let clock: ManualClock;
let file: OrganizationFile;
let files: OrganizationFiles;
let tokens: UserTokens;
let authorizer: OrganizationAuthorizer;
beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  file = new OrganizationFile(organization({ display_name: "Alice A." }));
  files = await file.open(clock);
  tokens = new UserTokens({ files, secret: SECRET, issuer: ISSUER, clock });
  const prefixes = { usernamePrefix: "oidc:user:", groupsPrefix: "oidc:group:" };
  authorizer = new OrganizationAuthorizer({ files, verifier: tokens, clock, refusals: noRefusals, ...prefixes });
});
afterEach(() => {
  files.close();
  file.remove();
});

async function change(content: object): Promise<void> {
  const before = files.current;
  file.write(content);
  clock.advance(5_000);
  await until(() => files.current !== before);
}

async function reasonOf(doing: Promise<unknown>): Promise<string> {
  try {
    await doing;
  } catch (error) {
    if (error instanceof Fault) return error.reason;
    throw error;
  }
  return "accepted";
}

const use = (accessKey: string) => authorizer.user(7n, { kind: "id_token", accessKey }, asking);

test("a password gives a token of ten minutes, by which its user acts in the cluster", async () => {
  const { idToken, expiresAtMs } = await tokens.signIn("alice", PASSWORD);
  expect(expiresAtMs).toBe(clock.now() + 10 * MINUTE_MS);
  expect((await use(idToken)).identity).toMatchObject({ username: "oidc:user:alice", groups: ["oidc:group:backend"] });
  clock.advance(11 * MINUTE_MS);
  expect(await reasonOf(use(idToken))).toBe("token_unknown");
});

test("T78: a wrong password, a user that does not exist and one without a password are refused by the same sentence", async () => {
  await change({ ...organization({}), users: [{ name: "alice", password: hash }, { name: "bob" }] });
  for (const [name, password] of [
    ["alice", "wrong"],
    ["mallory", PASSWORD],
    ["bob", ""],
  ] as const)
    await expect(tokens.signIn(name, password)).rejects.toMatchObject({
      reason: "token_unknown",
      message: "the user or the password is not known",
    });
});

test("a token is renewed for twelve hours from the sign-in, also when it has just ended", async () => {
  let { idToken } = await tokens.signIn("alice", PASSWORD);
  const first = idToken;
  for (let hours = 1; hours < 12; hours += 1) {
    clock.advance(60 * MINUTE_MS);
    ({ idToken } = await tokens.renew(idToken));
    expect(await reasonOf(use(idToken))).toBe("accepted");
  }
  expect(await reasonOf(tokens.renew(first))).toBe("accepted");
  clock.advance(60 * MINUTE_MS);
  expect(await reasonOf(tokens.renew(idToken))).toBe("token_unknown");
});

test.each<[string, () => object | undefined]>([
  ["is removed", () => undefined],
  ["has another password", () => ({ password: otherHash })],
  ["has no password any more", () => ({ password: undefined })],
])("T78: when the user %s, tokens of before are refused at once and not renewed", async (_, change_) => {
  const { idToken } = await tokens.signIn("alice", PASSWORD);
  expect(await reasonOf(use(idToken))).toBe("accepted");
  await change(organization(change_()));
  expect(authorizer.knownUser(7n, { kind: "id_token", accessKey: idToken }, asking)).toBeUndefined();
  expect(await reasonOf(use(idToken))).toBe("token_unknown");
  expect(await reasonOf(tokens.renew(idToken))).toBe("token_unknown");
});

test("T78: a group that is taken from the user in the file is gone at once", async () => {
  const { idToken } = await tokens.signIn("alice", PASSWORD);
  await change(organization({ groups: ["other"] }));
  expect(await reasonOf(use(idToken))).toBe("agent_forbidden");
});

test("T78: a token of another key, issuer or audience is not accepted, and neither is an unsigned one", async () => {
  const { idToken } = await tokens.signIn("alice", PASSWORD);
  const [, claims = ""] = idToken.split(".");
  const payload = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
  const sign = (changes: object, key = SECRET) => new SignJWT({ ...payload, ...changes }).setProtectedHeader({ alg: "HS256" }).sign(key);
  expect(await reasonOf(use(await sign({})))).toBe("accepted");
  expect(await reasonOf(use(await sign({}, WEB_SECRET)))).toBe("token_unknown");
  expect(await reasonOf(use(await sign({ iss: "https://elsewhere.test" })))).toBe("token_unknown");
  expect(await reasonOf(use(await sign({ aud: "binnacle-kas/users" })))).toBe("token_unknown");
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  expect(await reasonOf(use(`${none}.${claims}.`))).toBe("token_unknown");
});

test("T79: a personal access token is its owner until it expires or is removed from the file", async () => {
  const token = { name: "laptop", hash: hashToken("binnacle-1"), expires_at: "2026-01-01T01:00:00Z" };
  const usePersonal = () => authorizer.user(7n, { kind: "personal_access_token", accessKey: "binnacle-1" }, asking);
  expect(await reasonOf(usePersonal())).toBe("token_unknown");
  await change(organization({ tokens: [token] }));
  const user = await usePersonal();
  expect(user.identity?.extra).toContainEqual(
    expect.objectContaining({ key: "agent.gitlab.com/access_type", val: ["personal_access_token"] }),
  );
  expect(authorizer.knownUser(7n, { kind: "personal_access_token", accessKey: "binnacle-1" }, asking)).toBe(user);
  clock.advance(60 * MINUTE_MS);
  expect(await reasonOf(usePersonal())).toBe("token_unknown");
});

/** The endpoint on a server of its own. */
async function serve(): Promise<{ readonly server: Server; readonly url: string }> {
  const endpoint = new UserTokensEndpoint({ tokens, secret: WEB_SECRET, clock, log: createLogger("test", "silent") });
  const server = createServer((request, response) => {
    if (!endpoint.intercept(request, response, "/k8s/")) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/k8s/binnacle/v1/user-tokens` };
}

const proofOf = (key: Uint8Array, audience = "binnacle-kas/users") =>
  new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("binnacle-web")
    .setAudience(audience)
    .setIssuedAt(Math.floor(clock.now() / 1_000))
    .setExpirationTime(Math.floor(clock.now() / 1_000) + 30)
    .sign(key);

test("T78: the endpoint answers the dashboard alone, which passes on a password or a token of before", async () => {
  const { server, url } = await serve();
  const post = async (proof: string | undefined, body: string) => {
    const headers: Record<string, string> = proof === undefined ? {} : { authorization: `Bearer ${proof}` };
    const answer = await fetch(url, { method: "POST", headers, body });
    return { status: answer.status, body: (await answer.json()) as { readonly id_token?: string; readonly reason?: string } };
  };
  try {
    const good = await proofOf(WEB_SECRET);
    const signIn = JSON.stringify({ username: "alice", password: PASSWORD });
    expect(await post(undefined, signIn)).toMatchObject({ status: 401, body: { reason: "jwt_invalid" } });
    expect(await post(await proofOf(SECRET), signIn)).toMatchObject({ status: 401, body: { reason: "jwt_invalid" } });
    expect(await post(await proofOf(WEB_SECRET, "binnacle-kas/manifests"), signIn)).toMatchObject({ status: 401 });
    const { body } = await post(good, signIn);
    expect(await reasonOf(use(body.id_token ?? ""))).toBe("accepted");
    expect(await post(good, JSON.stringify({ id_token: body.id_token }))).toMatchObject({ status: 200 });
    expect(await post(good, JSON.stringify({ id_token: "x" }))).toMatchObject({ status: 401, body: { reason: "token_unknown" } });
    expect(await post(good, "{}")).toMatchObject({ status: 400 });
    expect(await post(good, " ".repeat(20_000))).toMatchObject({ status: 429, body: { reason: "message_too_large" } });
    clock.advance(2 * MINUTE_MS);
    expect(await post(good, signIn)).toMatchObject({ status: 401, body: { reason: "jwt_invalid" } });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
