import { Fault } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { ConnectionLimit } from "../limits/connection-limit.ts";
import { agentInfoOf } from "./testing/agent-info.ts";
import type { AgentAuthenticator, AgentInfo } from "./agent-info.ts";
import { CachedLookup } from "./cached-lookup.ts";
import { SessionAuthenticator } from "./session-authenticator.ts";

const never = new AbortController();
const FIVE_MINUTES_MS = 300_000;

/** Tokens "agent-<id>" are good until they are revoked; answers are kept for five minutes, as by default. */
function world(options: { readonly perMinute?: number } = {}) {
  const clock = new ManualClock();
  const cache = new CachedLookup<AgentInfo>(clock, { okMs: FIVE_MINUTES_MS, refusedMs: 60_000 });
  const state = { queries: 0, lookedUp: 0, revoked: false, down: false };
  const authenticator: AgentAuthenticator = {
    authenticate(authorization, signal, { maxAgeMs } = {}) {
      state.lookedUp += 1;
      return cache.get([authorization ?? ""], { signal, maxAgeMs }, async () => {
        state.queries += 1;
        const id = /^Bearer agent-(\d+)$/.exec(authorization ?? "")?.[1];
        if (state.down) throw new Fault("main_application_unavailable", "down", { retryAfterSeconds: 90 });
        if (id === undefined || state.revoked) throw new Fault("token_unknown", "unauthenticated");
        return agentInfoOf(BigInt(id), { provedAtMs: clock.now() });
      });
    },
  };
  const limit = options.perMinute === undefined ? undefined : new ConnectionLimit(clock, options.perMinute);
  return { clock, state, sessions: new SessionAuthenticator({ authenticator, clock, limit }) };
}

test("a thousand tunnels of one connection look its token up once", async () => {
  const { state, sessions } = world();
  const shown = { session: {}, authorization: "Bearer agent-7" };
  for (let tunnel = 0; tunnel < 1_000; tunnel += 1) expect((await sessions.authenticate(shown, never)).agentId).toBe(7n);
  expect(state.lookedUp).toBe(1);
});

test("T16: what a connection showed counts for that connection and that token alone", async () => {
  const { state, sessions } = world();
  const session = {};
  await sessions.authenticate({ session, authorization: "Bearer agent-7" }, never);
  expect((await sessions.authenticate({ session, authorization: "Bearer agent-8" }, never)).agentId).toBe(8n);
  await expect(sessions.authenticate({ session, authorization: "Bearer unknown" }, never)).rejects.toMatchObject({
    reason: "token_unknown",
  });
  await expect(sessions.authenticate({ session, authorization: undefined }, never)).rejects.toMatchObject({ reason: "token_unknown" });
  await sessions.authenticate({ session: {}, authorization: "Bearer agent-7" }, never);
  expect(state.lookedUp).toBe(5);
});

test("XM15: a tunnel that was opened on an old answer is proved again before the answer is five minutes old", async () => {
  const { clock, state, sessions } = world();
  const shown = { authorization: "Bearer agent-7" };
  await sessions.authenticate({ session: {}, ...shown }, never);
  state.revoked = true;
  clock.advance(250_000);
  const session = {};
  const info = await sessions.authenticate({ session, ...shown }, never);
  const leftMs = sessions.proofLeftMs(info);
  expect(250_000 + leftMs).toBeLessThan(FIVE_MINUTES_MS);
  clock.advance(leftMs);
  await expect(sessions.prove({ session, ...shown }, never)).rejects.toMatchObject({ reason: "token_unknown" });
});

test("XM15: a proof that is due is never answered by the answer it must renew", async () => {
  const { clock, state, sessions } = world();
  const shown = { session: {}, authorization: "Bearer agent-7" };
  for (let round = 1; round <= 5; round += 1) {
    const info = await sessions.prove(shown, never);
    expect(state.queries).toBe(round);
    clock.advance(sessions.proofLeftMs(info));
  }
});

test("XM15: once a proof was refused the connection opens no further tunnel", async () => {
  const { clock, state, sessions } = world();
  const shown = { session: {}, authorization: "Bearer agent-7" };
  const info = await sessions.authenticate(shown, never);
  clock.advance(200_000);
  state.revoked = true;
  await expect(sessions.prove(shown, never)).rejects.toMatchObject({ reason: "token_unknown" });
  expect(sessions.proofLeftMs(info)).toBeGreaterThan(0);
  await expect(sessions.authenticate(shown, never)).rejects.toMatchObject({ reason: "token_unknown" });
});

test("an unavailable main application withdraws no session, and is queried again at its retry time", async () => {
  const { clock, state, sessions } = world();
  const shown = { session: {}, authorization: "Bearer agent-7" };
  await sessions.authenticate(shown, never);
  clock.advance(200_000);
  state.down = true;
  const error = await sessions.prove(shown, never).catch((thrown: unknown) => thrown);
  expect(sessions.retryMs(error)).toBe(90_000);
  expect((await sessions.authenticate(shown, never)).agentId).toBe(7n);
});

test("XM3: connections beyond the limit are refused, and their tunnels with them", async () => {
  const { clock, sessions } = world({ perMinute: 2 });
  const shown = { authorization: "Bearer agent-7" };
  const first = {};
  await sessions.authenticate({ session: first, ...shown }, never);
  await sessions.authenticate({ session: {}, ...shown }, never);
  const third = {};
  const refused = await Promise.allSettled([1, 2, 3].map(() => sessions.authenticate({ session: third, ...shown }, never)));
  expect(refused.map((result) => result.status)).toEqual(["rejected", "rejected", "rejected"]);
  expect((await sessions.authenticate({ session: first, ...shown }, never)).agentId).toBe(7n);
  clock.advance(60_000);
  expect((await sessions.authenticate({ session: third, ...shown }, never)).agentId).toBe(7n);
});
