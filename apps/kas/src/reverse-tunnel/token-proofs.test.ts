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

/** A main application that says what `verdict` says, and counts how often it is asked. */
function world() {
  const clock = new ManualClock();
  const state = { asked: 0, left: 0, verdict: "good" as "good" | "revoked" | "down" | "other agent" | "silent" };
  const info = (agentId: bigint): AgentInfo => agentInfoOf(agentId, { provedAtMs: clock.now() });
  const authenticator = {
    authenticate(_authorization: string | undefined, signal: AbortSignal): Promise<AgentInfo> {
      state.asked += 1;
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
  /** Lets time pass, and whoever was asked answer. */
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { state, clock, open, pass };
}

test("a hundred tunnels of one connection are proved by one question, and those of another by their own", async () => {
  const { state, open, pass } = world();
  const sessions = [{}, {}];
  const tunnels = sessions.flatMap((session) => Array.from({ length: 100 }, () => open(session).tunnel));
  await pass(FIVE_MINUTES_MS);
  expect(state.asked).toBe(2);
  await pass(FIVE_MINUTES_MS);
  expect(state.asked).toBe(4);
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

test("a main application that is away ends nothing, and is asked again soon", async () => {
  const { state, open, pass } = world();
  const { tunnel } = open({});
  state.verdict = "down";
  await pass(FIVE_MINUTES_MS);
  expect([tunnel.state, state.asked]).toEqual(["ready", 1]);
  state.verdict = "revoked";
  await pass(60_000);
  expect(tunnel.state).toBe("done");
});

test("who comes after a refusal begins anew, though the refused tunnels have not gone yet", async () => {
  const { state, open, pass } = world();
  const session = {};
  open(session);
  state.verdict = "revoked";
  await pass(FIVE_MINUTES_MS);
  const { tunnel } = open(session);
  await pass(FIVE_MINUTES_MS);
  expect(tunnel.state).toBe("done");
});

test("nobody is asked for tunnels that are gone, and a running question is taken back with the last of them", async () => {
  const { state, clock, open, pass } = world();
  const session = {};
  for (const { leave } of [open(session), open(session)]) leave();
  await pass(2 * FIVE_MINUTES_MS);
  expect([state.asked, clock.pending]).toEqual([0, 0]);
  const tunnels = [open(session), open(session)];
  state.verdict = "silent";
  await pass(FIVE_MINUTES_MS);
  tunnels[0]?.leave();
  expect([state.asked, state.left]).toEqual([1, 0]);
  tunnels[1]?.leave();
  expect(state.left).toBe(1);
});
