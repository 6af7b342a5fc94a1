import { Fault } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import type { AgentInfo } from "../main-application/agent-info.ts";
import { SessionAuthenticator } from "../main-application/session-authenticator.ts";
import { agentInfoOf } from "../main-application/testing/agent-info.ts";
import { openTunnel } from "./testing/open-tunnel.ts";
import { TokenProofs } from "./token-proofs.ts";
import { TunnelRegistry } from "./tunnel-registry.ts";
import type { Tunnel } from "./tunnel.ts";

const FIVE_MINUTES_MS = 300_000;

/** A main application that answers with `verdict` and counts its requests. */
function world() {
  const clock = new ManualClock();
  const state = { requests: 0, left: 0, verdict: "good" as "good" | "revoked" | "down" | "other agent" | "silent" };
  const info = (agentId: bigint): AgentInfo => agentInfoOf(agentId, { provedAtMs: clock.now() });
  const authenticator = {
    authenticate(_authorization: string | undefined, signal: AbortSignal): Promise<AgentInfo> {
      state.requests += 1;
      signal.addEventListener("abort", () => (state.left += 1));
      if (state.verdict === "silent") return new Promise(() => undefined);
      if (state.verdict === "revoked") return Promise.reject(new Fault("token_unknown", "unauthenticated"));
      if (state.verdict === "down") return Promise.reject(new Fault("main_application_unavailable", "down"));
      return Promise.resolve(info(state.verdict === "good" ? 1n : 2n));
    },
  };
  const proofs = new TokenProofs(new SessionAuthenticator({ authenticator, clock }), clock);
  const registry = new TunnelRegistry();
  const open = (session: object): { tunnel: Tunnel; leave: () => void } => {
    const tunnel = openTunnel(registry);
    return { tunnel, leave: proofs.watch({ session, authorization: "Bearer agent-1" }, info(1n), tunnel) };
  };
  /** Lets time pass, and pending requests settle. */
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { state, clock, open, pass };
}

test("a hundred tunnels of one connection are checked by one request, and those of another by their own", async () => {
  const { state, open, pass } = world();
  const sessions = [{}, {}];
  const tunnels = sessions.flatMap((session) => Array.from({ length: 100 }, () => open(session).tunnel));
  await pass(FIVE_MINUTES_MS);
  expect(state.requests).toBe(2);
  await pass(FIVE_MINUTES_MS);
  expect(state.requests).toBe(4);
  expect(new Set(tunnels.map((tunnel) => tunnel.state))).toEqual(new Set(["ready"]));
});

test("XM15: every tunnel of a revoked token ends within five minutes, those that came later too", async () => {
  const { state, clock, open, pass } = world();
  const session = {};
  const early = open(session).tunnel;
  await pass(FIVE_MINUTES_MS / 2);
  const late = open(session).tunnel;
  state.verdict = "revoked";
  const revokedMs = clock.now();
  while (early.state !== "done" || late.state !== "done") await pass(1_000);
  expect(clock.now() - revokedMs).toBeLessThanOrEqual(FIVE_MINUTES_MS);
});

test("T16: a token that is another agent's now ends the tunnels it opened for the first", async () => {
  const { state, open, pass } = world();
  const { tunnel } = open({});
  state.verdict = "other agent";
  await pass(FIVE_MINUTES_MS);
  expect(tunnel.state).toBe("done");
});

test("an unavailable main application ends no tunnel, and the check is repeated soon", async () => {
  const { state, open, pass } = world();
  const { tunnel } = open({});
  state.verdict = "down";
  await pass(FIVE_MINUTES_MS);
  expect([tunnel.state, state.requests]).toEqual(["ready", 1]);
  state.verdict = "revoked";
  await pass(60_000);
  expect(tunnel.state).toBe("done");
});

test("a tunnel that comes after a rejection is checked anew, although the rejected tunnels have not ended yet", async () => {
  const { state, open, pass } = world();
  const session = {};
  open(session);
  state.verdict = "revoked";
  await pass(FIVE_MINUTES_MS);
  const { tunnel } = open(session);
  await pass(FIVE_MINUTES_MS);
  expect(tunnel.state).toBe("done");
});

test("closed tunnels cause no check, and a running check is cancelled with the last of them", async () => {
  const { state, clock, open, pass } = world();
  const session = {};
  for (const { leave } of [open(session), open(session)]) leave();
  await pass(2 * FIVE_MINUTES_MS);
  expect([state.requests, clock.pending]).toEqual([0, 0]);
  const tunnels = [open(session), open(session)];
  state.verdict = "silent";
  await pass(FIVE_MINUTES_MS);
  tunnels[0]?.leave();
  expect([state.requests, state.left]).toEqual([1, 0]);
  tunnels[1]?.leave();
  expect(state.left).toBe(1);
});
