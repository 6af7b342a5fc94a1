import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { LiveSessions } from "./live-sessions.ts";
import type { ProviderTokens } from "./oidc-client.ts";
import type { OidcSession, ProxyToken } from "./oidc-seal.ts";
import { SessionRenewal } from "./session-renewal.ts";

const HOUR_MS = 3_600_000;

let clock: ManualClock;
let live: LiveSessions;
let refreshed: number;
let created: number;
/** Whether the main application makes tokens for the k8s-proxy. */
let makes: boolean;
let renewal: SessionRenewal;

beforeEach(() => {
  clock = new ManualClock();
  live = new LiveSessions(clock);
  [refreshed, created, makes] = [0, 0, true];
  renewal = new SessionRenewal({
    client: { refresh },
    way: "oauth",
    live,
    proxyToken: (_accessToken, present) => Promise.resolve(makes ? made(++created) : present),
    renewed: () => undefined,
    clock,
  });
});

/** A provider whose access tokens last an hour. */
function refresh(): Promise<ProviderTokens> {
  refreshed += 1;
  const tokens = { accessToken: new Secret(`access-${refreshed}`), refreshToken: new Secret(`refresh-${refreshed}`) };
  return Promise.resolve({
    ...tokens,
    idToken: undefined,
    claims: undefined,
    accessEndsAtMs: clock.now() + HOUR_MS,
    idEndsAtMs: undefined,
  });
}

function made(number: number): ProxyToken {
  return { token: new Secret(`proxy-${number}`), id: String(number), endsAtMs: clock.now() + 10 * HOUR_MS };
}

/** A session that began now. */
function begun(proxyToken: ProxyToken | undefined): OidcSession {
  const now = clock.now();
  return {
    id: "one",
    subject: "ann",
    providerSession: undefined,
    token: new Secret("access-0"),
    refreshToken: new Secret("refresh-0"),
    proxyToken,
    tokenBeganAtMs: now,
    tokenEndsAtMs: now + HOUR_MS,
    renewal: 0,
    signedInAtMs: now,
    expiresAtMs: now + 12 * HOUR_MS,
    keyId: "",
  };
}

test("a token for clusters that is about to end is replaced with the tokens of the provider, before those are due", async () => {
  const session = begun({ token: new Secret("proxy-0"), id: "0", endsAtMs: clock.now() + 30 * 60_000 });
  expect(renewal.dueInSeconds(session)).toBe(28 * 60);
  clock.advance(28 * 60_000);
  const renewed = await renewal.renew(session);
  expect([renewed.proxyToken?.token.reveal(), renewed.token.reveal(), refreshed]).toEqual(["proxy-1", "access-1", 1]);
});

test("one that cannot be replaced is no reason to renew again and again: it is tried with the next tokens", async () => {
  makes = false;
  const session = begun({ token: new Secret("proxy-0"), id: "0", endsAtMs: clock.now() + 30 * 60_000 });
  clock.advance(28 * 60_000);
  const renewed = await renewal.renew(session);
  expect(renewal.dueInSeconds(renewed)).toBe(58 * 60);
  clock.advance(2 * 60_000);
  const credential = live.credentialOf(renewed, "oauth");
  expect(credential.way === "oauth" && credential.proxyToken).toBeUndefined();
  makes = true;
  clock.advance(56 * 60_000);
  await renewal.renew(renewed);
  expect(credential.way === "oauth" && credential.proxyToken?.reveal()).toBe("proxy-1");
});

test("a pasted one is neither replaced nor a reason to renew", async () => {
  const session = begun({ token: new Secret("pasted"), id: undefined, endsAtMs: clock.now() + 12 * HOUR_MS });
  expect(renewal.dueInSeconds(session)).toBe(58 * 60);
  clock.advance(58 * 60_000);
  expect((await renewal.renew(session)).proxyToken?.token.reveal()).toBe("pasted");
  expect(created).toBe(0);
});

test("without a refresh token there is nothing to renew", async () => {
  const session = { ...begun(undefined), refreshToken: undefined };
  expect(renewal.dueInSeconds(session)).toBeUndefined();
  clock.advance(HOUR_MS);
  await expect(renewal.renew(session)).rejects.toMatchObject({ kind: "stale" });
});
