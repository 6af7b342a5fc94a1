import type { Organization } from "@binnacle/organization";
import { systemClock, type Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { CredentialNames } from "../main-application/credential-names.ts";
import type { Credential } from "../main-application/credential.ts";
import { mainApplicationConformance } from "../main-application/testing/conformance.ts";
import { StandaloneMainApplication } from "./standalone.ts";
import { organizationOf, PASSWORD, tokenOf, userTokenOf } from "./testing/organization-of-test.ts";
import { StandInUserTokens, WEB_SECRET } from "./testing/stand-in-user-tokens.ts";
import { UserTokensClient } from "./user-tokens-client.ts";

const MINUTE_MS = 60_000;
const CLAIMS = { username: "preferred", groups: "roles" };
const UNKNOWN: readonly Credential[] = [
  { way: "cookie", sessionCookie: new Secret("other") },
  { way: "token", token: new Secret("other") },
  { way: "oidc", idToken: new Secret("a.b.c") },
  { way: "oidc", idToken: new Secret("") },
];
const idTokenOf = (text: string): Credential => ({ way: "oidc", idToken: new Secret(text) });
const signal = new AbortController().signal;

describe("the organization's files with users", () => {
  mainApplicationConformance(async () => {
    const files = { current: await organizationOf(["maintainer", "developer"]) };
    const kas = await StandInUserTokens.start(() => files.current);
    const dialer = new HttpDialer({ internalUrl: kas.url, externalUrl: kas.url });
    const users = new UserTokensClient(dialer, new Secret(WEB_SECRET), systemClock);
    const tokens = new Map<string, string>();
    for (const user of ["maintainer", "developer", "unlisted"]) tokens.set(user, await userTokenOf(user, Date.now() + 10 * MINUTE_MS));
    const names = new CredentialNames();
    return {
      application: new StandaloneMainApplication({ url: kas.url, files, names, clock: systemClock, users, claims: CLAIMS }),
      credential: (user) => idTokenOf(tokens.get(user) ?? ""),
      unknown: [
        ...UNKNOWN,
        idTokenOf(tokens.get("unlisted") ?? ""),
        idTokenOf(await tokenOf({ sub: "maintainer", mark: "of another password", exp: 9_999_999_999 })),
      ],
      async withdraw(user) {
        files.current = await organizationOf(["maintainer", "developer"].filter((name) => name !== user));
      },
      async close() {
        await dialer.close();
        await kas.stop();
      },
    };
  });
});

describe("the organization's files with a provider of identities", () => {
  mainApplicationConformance(async () => {
    const files = { current: await organizationOf([], ["team"]) };
    let nowMs = Date.now();
    const clock: Clock = { ...systemClock, now: () => nowMs };
    const claims = (user: string) => ({ preferred: user, sub: `id-of-${user}`, roles: ["team"] });
    const ends = { maintainer: nowMs + MINUTE_MS, developer: nowMs + 10 * MINUTE_MS };
    const tokens = {
      maintainer: await tokenOf({ ...claims("maintainer"), exp: Math.floor(ends.maintainer / 1_000) }),
      developer: await tokenOf({ ...claims("developer"), exp: Math.floor(ends.developer / 1_000) }),
    };
    const shared = { url: "http://app.localhost", files, names: new CredentialNames(), users: undefined };
    return {
      application: new StandaloneMainApplication({ ...shared, clock, claims: CLAIMS }),
      credential: (user) => idTokenOf(tokens[user]),
      unknown: [
        ...UNKNOWN,
        idTokenOf(await tokenOf({ sub: "maintainer", exp: 9_999_999_999 })),
        idTokenOf(await tokenOf({ ...claims("system:admin"), exp: 9_999_999_999 })),
      ],
      withdraw: () => void (nowMs = ends.maintainer + 1),
      close: () => undefined,
    };
  });
});

describe("tokens of kas", () => {
  let files: { current: Organization };
  let kas: StandInUserTokens;
  let dialer: HttpDialer;
  let nowMs: number;
  let application: StandaloneMainApplication;
  let users: UserTokensClient;
  const over: string[] = [];
  beforeEach(async () => {
    nowMs = Date.now();
    const clock: Clock = { ...systemClock, now: () => nowMs };
    files = { current: await organizationOf(["alice"]) };
    kas = await StandInUserTokens.start(() => files.current);
    kas.now = () => nowMs;
    dialer = new HttpDialer({ internalUrl: kas.url, externalUrl: kas.url });
    users = new UserTokensClient(dialer, new Secret(WEB_SECRET), systemClock);
    application = new StandaloneMainApplication({ url: kas.url, files, names: new CredentialNames(), clock, users, claims: CLAIMS });
    over.length = 0;
  });
  afterEach(async () => {
    await dialer.close();
    await kas.stop();
  });

  const DOOR = { projectPath: "group/app", environmentNumber: "1", agentId: 3n };
  const bearerOf = async (credential: Credential, renew = false): Promise<string> => {
    const access = application.open({ credential, over: () => void over.push("over") });
    return (await access.kasHeaders(DOOR, { renew, signal }))?.["authorization"] ?? "";
  };

  test("a token serves until a minute before its end; then one renewal serves every access of the session", async () => {
    const first = await userTokenOf("alice", nowMs + 10 * MINUTE_MS);
    expect(await bearerOf(idTokenOf(first))).toBe(`Bearer oidc:3:${first}`);
    nowMs += 9 * MINUTE_MS + 1_000;
    const second = await bearerOf(idTokenOf(first));
    expect(second).not.toContain(first);
    expect(await bearerOf(idTokenOf(first))).toBe(second);
    expect(kas.requests).toEqual(["alice renews"]);
  });

  test("when kas refuses a token, it is renewed once for all who wait", async () => {
    const access = application.open({ credential: idTokenOf(await userTokenOf("alice", nowMs + 10 * MINUTE_MS)) });
    await Promise.all(Array.from({ length: 10 }, () => access.kasHeaders(DOOR, { renew: true, signal })));
    expect(kas.requests).toEqual(["alice renews"]);
  });

  test("T80: a session that kas does not renew is over, although the files here still have the user", async () => {
    const credential = idTokenOf(await userTokenOf("alice", nowMs - MINUTE_MS));
    const ofKas = await organizationOf([]);
    const other = await StandInUserTokens.start(() => ofKas);
    const way = new HttpDialer({ internalUrl: other.url, externalUrl: other.url });
    const client = new UserTokensClient(way, new Secret(WEB_SECRET), systemClock);
    const shared = { url: other.url, files, names: new CredentialNames(), clock: systemClock, claims: CLAIMS };
    const access = new StandaloneMainApplication({ ...shared, users: client }).open({ credential, over: () => void over.push("over") });
    try {
      await expect(access.kasHeaders(DOOR, { renew: false, signal })).rejects.toMatchObject({ reason: "session_ended" });
      expect(over).toEqual(["over"]);
    } finally {
      await way.close();
      await other.stop();
    }
  });

  test("while kas does not answer, a token that is still good is used", async () => {
    const token = await userTokenOf("alice", nowMs + 30_000);
    kas.broken = 503;
    expect(await bearerOf(idTokenOf(token))).toBe(`Bearer oidc:3:${token}`);
    nowMs += MINUTE_MS;
    await expect(bearerOf(idTokenOf(token))).rejects.toMatchObject({ reason: "main_application_unavailable" });
  });

  test("T78: another secret is no proof for kas, and no user is to blame", async () => {
    const stranger = new UserTokensClient(dialer, new Secret(Buffer.alloc(32, 3).toString("base64")), systemClock);
    const alice = { username: "alice", password: PASSWORD };
    await expect(stranger.signIn(alice, signal)).rejects.toMatchObject({ reason: "main_application_unavailable" });
    expect((await users.signIn(alice, signal)).idToken.reveal()).not.toBe("");
    await expect(users.signIn({ ...alice, password: "wrong" }, signal)).rejects.toMatchObject({ reason: "session_ended" });
  });

  test("T78: a project of which the user is no member is not found, as one that does not exist", async () => {
    const access = application.open({ credential: idTokenOf(await userTokenOf("alice", nowMs + 10 * MINUTE_MS)) });
    const messages = await Promise.all(
      ["group/other", "group/none"].map(async (project) => {
        const error: unknown = await access.environments(project, signal).catch((failure: unknown) => failure);
        return String(error).replace(project, "…");
      }),
    );
    expect(messages[0]).toBe(messages[1]);
  });
});
