import { Fault } from "@binnacle/rpc";
import { beforeEach, expect, test } from "vitest";
import fc from "fast-check";

import type { CallClass, Caller } from "../agent-call/call-context.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { openTunnel, type OpenTunnelOptions } from "./testing/open-tunnel.ts";
import { RECORDED_USER_AGENT } from "../testing/user-agents.ts";
import type { TunnelNeed } from "./agent-tunnels.ts";
import { poolMaximumOf } from "./reverse-tunnel-handler.ts";
import { TunnelRegistry } from "./tunnel-registry.ts";
import type { Tunnel } from "./tunnel.ts";

const NOTHING = { agents: 0, open: 0, idle: 0, waiting: 0, connections: 0 };

let registry: TunnelRegistry;
let tunnels: Tunnel[];

beforeEach(() => {
  registry = new TunnelRegistry();
  tunnels = [];
});

function user(id: string): Caller {
  return { kind: "user", id };
}

function needOf(id: string, callClass: CallClass = "safe"): TunnelNeed {
  return { agentId: 1n, method: "/s.S/M", context: contextOf({ caller: user(id), class: callClass }) };
}

function open(count: number, of: OpenTunnelOptions = {}): void {
  for (let index = 0; index < count; index += 1) tunnels.push(openTunnel(registry, of));
}

/** Takes a tunnel, or the word why not. */
function take(id: string, callClass: CallClass = "safe"): Tunnel | string {
  try {
    return registry.reserve(needOf(id, callClass)) ?? "none";
  } catch (error) {
    return (error as { reason: string }).reason; // a Fault: the registry throws nothing else
  }
}

function takeAll(count: number, of: readonly [id: string, callClass: CallClass]): Record<string, number> {
  const seen: Record<string, number> = {};
  for (let index = 0; index < count; index += 1) {
    const taken = take(...of);
    const word = typeof taken === "string" ? taken : "given";
    seen[word] = (seen[word] ?? 0) + 1;
  }
  return seen;
}

test("XS6: one user gets no more than half of the pool's maximum for watches, and the rest is rejected at once; others still get theirs", () => {
  open(100, { poolMaximum: 100 });
  expect(takeAll(60, ["greedy", "watch"])).toEqual({ given: 50, share_exceeded: 10 });
  expect(takeAll(5, ["greedy", "upgrade"])).toEqual({ share_exceeded: 5 });
  expect(takeAll(1, ["greedy", "safe"])).toEqual({ given: 1 });
  expect(takeAll(10, ["modest", "watch"])).toEqual({ given: 10 });
});

test("XS6: the half is of the pool's maximum, not of what is open now: a small pool does not refuse before it could grow", () => {
  open(10, { poolMaximum: 500 });
  expect(takeAll(10, ["one", "watch"])).toEqual({ given: 10 });
});

test("XS6: a fifth of the pool is never held by watches, however many users hold them", () => {
  open(100, { poolMaximum: 100 });
  for (let index = 0; index < 8; index += 1) expect(takeAll(10, [`user ${index}`, "watch"])).toEqual({ given: 10 });
  expect(takeAll(1, ["late", "watch"])).toEqual({ watch_limit: 1 });
  expect(takeAll(20, ["late", "mutation"])).toEqual({ given: 20 });
});

test("XS6: a rejection has a retry delay, and does not stay counted", () => {
  open(2, { poolMaximum: 2 });
  take("one", "watch");
  expect(() => registry.reserve(needOf("one", "watch"))).toThrow(
    expect.objectContaining({ reason: expect.stringMatching(/watch_limit|share_exceeded/), retryAfterSeconds: 5 }),
  );
  expect(() => registry.wait(needOf("one", "watch"), () => undefined)).toThrow(expect.objectContaining({ retryAfterSeconds: 5 }));
  tunnels[1]?.closed();
  tunnels[0]?.closed();
  expect(registry.counts()).toEqual(NOTHING);
});

test("I4, KS8: an agent without our capabilities carries eight watches in all, and two tunnels stay for short calls", () => {
  open(10);
  expect(takeAll(8, ["one", "watch"])).toEqual({ given: 8 });
  expect(takeAll(1, ["one", "watch"])).toEqual({ watch_limit: 1 });
  expect(takeAll(1, ["other", "upgrade"])).toEqual({ watch_limit: 1 });
  expect(takeAll(2, ["other", "safe"])).toEqual({ given: 2 });
  expect(takeAll(1, ["other", "safe"])).toEqual({ none: 1 });
});

test("I4: while one replica lacks our capabilities, its limits hold for all", () => {
  open(20, { poolMaximum: 500, replica: "i:new" });
  open(10, { replica: "s:1" });
  expect(takeAll(9, ["one", "watch"])).toEqual({ given: 8, watch_limit: 1 });
});

test("I4: watches that waited for an unknown agent are rejected beyond its limit as soon as it connects, not after their wait", () => {
  const seen: string[] = [];
  for (let index = 0; index < 12; index += 1)
    registry.wait(
      needOf("one", "watch"),
      () => seen.push("given"),
      (fault) => seen.push(fault.reason),
    );
  open(10);
  expect(seen.filter((word) => word === "given")).toHaveLength(8);
  expect(seen.filter((word) => word === "watch_limit")).toHaveLength(4);
  expect(registry.counts()).toMatchObject({ waiting: 0, idle: 2 });
});

test("XS6, N7: the next free tunnel goes to whom has fewest running calls; of equals who has waited longest", () => {
  open(3, { poolMaximum: 500 });
  takeAll(3, ["busy", "safe"]);
  const order: string[] = [];
  const wait = (id: string): void => void registry.wait(needOf(id), () => order.push(id));
  for (let index = 0; index < 5; index += 1) wait("busy");
  wait("second");
  wait("third");
  wait("second");
  open(4, { poolMaximum: 500 });
  expect(order).toEqual(["second", "third", "second", "busy"]);
});

test("XS6: one user may have a hundred waiting calls, and the rest of the queue belongs to others", () => {
  open(1);
  take("other");
  for (let index = 0; index < 100; index += 1) registry.wait(needOf("greedy"), () => undefined);
  expect(() => registry.wait(needOf("greedy"), () => undefined)).toThrow(
    expect.objectContaining({ reason: "queue_full", retryAfterSeconds: 1 }),
  );
  expect(() => registry.wait(needOf("modest"), () => undefined)).not.toThrow();
});

test("XS6: of the queue of an agent that is not here one user gets half", () => {
  for (let index = 0; index < 500; index += 1) registry.wait(needOf("greedy"), () => undefined);
  expect(() => registry.wait(needOf("greedy"), () => undefined)).toThrow(expect.objectContaining({ reason: "queue_full" }));
  expect(() => registry.wait(needOf("modest"), () => undefined)).not.toThrow();
});

test("I4: the watch budget of our agent is a fifth of its pool, that of others eight; what is free is what is left for this caller", () => {
  expect(registry.watchBudget(1n, user("one"))).toBeUndefined();
  open(20, { poolMaximum: 500 });
  expect(registry.watchBudget(1n, user("one"))).toEqual({ limit: 100, free: 100 });
  takeAll(7, ["other", "watch"]);
  takeAll(5, ["one", "safe"]);
  expect(registry.watchBudget(1n, user("one"))).toEqual({ limit: 100, free: 93 });
  open(10, { agentId: 2n });
  expect(registry.watchBudget(2n, user("one"))).toEqual({ limit: 8, free: 8 });
});

test("I4: an agent whose tunnels all hang in calls, or that has only its configuration stream, is connected", () => {
  expect(registry.presence(needOf("one"))).toBe("absent");
  registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "s:1" });
  expect(registry.presence(needOf("one"))).toBe("busy");
  expect(registry.counts()).toMatchObject({ agents: 1 });
  open(1, { replica: "s:1" });
  take("one");
  tunnels[0]?.closed();
  expect(registry.presence(needOf("one"))).toBe("busy");
  registry.unbindConnection(7n);
  expect(registry.presence(needOf("one"))).toBe("absent");
  expect(registry.counts()).toEqual(NOTHING);
});

test("I4: presence begins with the configuration stream or the first tunnel and ends with the last of both", () => {
  const seen: boolean[] = [];
  registry.onPresence((_agentId, present) => seen.push(present));
  registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:a" });
  open(1);
  registry.unbindConnection(7n);
  expect(seen).toEqual([true]);
  tunnels[0]?.closed();
  expect(seen).toEqual([true, false]);
});

test("I14: callers that wait for an agent do not make it a connected one", () => {
  registry.wait(needOf("one"), () => undefined);
  expect(registry.counts()).toMatchObject({ agents: 0, waiting: 1 });
});

test("XS6: whatever is opened, taken, given back, waited for and lost, every count returns to zero", () => {
  const step = fc.record({ act: fc.nat(6), caller: fc.nat(3), watch: fc.boolean(), pick: fc.nat(50) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      registry = new TunnelRegistry();
      const opened: Tunnel[] = [];
      const reserved: Tunnel[] = [];
      const stops: (() => void)[] = [];
      for (const { act, caller, watch, pick } of steps) {
        const need = needOf(String(caller), watch ? "watch" : "safe");
        try {
          if (act <= 1) opened.push(openTunnel(registry, act === 0 ? { poolMaximum: 8 } : { replica: "s:1" }));
          else if (act === 2) opened.splice(pick % Math.max(1, opened.length), 1)[0]?.closed();
          else if (act === 3) {
            const tunnel = registry.reserve(need);
            if (tunnel) reserved.push(tunnel);
          } else if (act === 4) {
            const tunnel = reserved.splice(pick % Math.max(1, reserved.length), 1)[0];
            if (tunnel) registry.release(tunnel);
          } else if (act === 5) stops.push(registry.wait(need, (given) => reserved.push(given)));
          else stops.splice(pick % Math.max(1, stops.length), 1)[0]?.();
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
        }
      }
      for (const stop of stops) stop();
      // With everything else gone the last one is as free as on the first day.
      const last = openTunnel(registry, { poolMaximum: 8 });
      for (const tunnel of opened) tunnel.closed();
      expect(registry.watchBudget(1n, user("0"))).toEqual({ limit: 1, free: 1 });
      last.closed();
      expect(registry.counts()).toEqual(NOTHING);
    }),
  );
});

test.each([
  [{}, undefined],
  [{ "user-agent": RECORDED_USER_AGENT["14.1.1"] }, undefined],
  [{ "agentk-max-tunnels": "700" }, undefined],
  [{ "agentk-caps": "impersonation" }, 500],
  [{ "agentk-caps": "impersonation", "agentk-max-tunnels": "700" }, 700],
  [{ "agentk-caps": "", "agentk-max-tunnels": "1e9" }, 500],
  [{ "agentk-caps": "", "agentk-max-tunnels": "0" }, 500],
])("the pool of an agent with the headers %j has at most %s tunnels", (headers, expected) => {
  expect(poolMaximumOf(headers)).toBe(expected);
});
