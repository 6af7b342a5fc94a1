import { ConnectRequestSchema } from "@binnacle/proto/reverse-tunnel";
import { create, toBinary } from "@bufbuild/protobuf";
import { beforeEach, expect, test } from "vitest";

import { contextOf } from "../agent-call/testing/call-context.ts";
import { FakeTunnelStream } from "./testing/fake-tunnel-stream.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";
import type { TunnelNeed } from "./agent-tunnels.ts";
import { TunnelRegistry } from "./tunnel-registry.ts";
import { Tunnel } from "./tunnel.ts";

const NEED: TunnelNeed = { agentId: 1n, method: "/s.S/M", context: contextOf() };
const EMPTY = { agents: 0, open: 0, idle: 0, waiting: 0, connections: 0 };

let registry: TunnelRegistry;

beforeEach(() => {
  registry = new TunnelRegistry({ maxWaitersPerAgent: 3 });
});

function openTunnel(
  of: { agentId?: bigint; replica?: string; method?: string; canImpersonate?: boolean; canUpgrade?: boolean } = {},
): Tunnel {
  const tunnel = new Tunnel(
    {
      agentId: of.agentId ?? 1n,
      replica: of.replica ?? "i:a",
      can: (ability) => (ability === "upgrade" ? (of.canUpgrade ?? false) : (of.canImpersonate ?? false)),
      onReady: (ready) => registry.add(ready),
      onDone: (gone) => registry.remove(gone),
    },
    new FakeTunnelStream(),
  );
  const services = [{ name: "s.S", methods: [{ name: of.method ?? "M" }] }];
  tunnel.receive(
    toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg: { case: "descriptor", value: { agentDescriptor: { services } } } })),
  );
  return tunnel;
}

function start(tunnel: Tunnel): void {
  tunnel.start({ method: "/s.S/M", metadata: new Map(), signal: new AbortController().signal, hops: 0 }, new RecordingListener());
}

test("a request on behalf of a user goes only to an agent that can impersonate", () => {
  const need = { ...NEED, impersonation: true };
  openTunnel();
  expect(registry.reserve(need)).toBeUndefined();
  expect(registry.presence(need)).toBe("cannot_impersonate");
  const able = openTunnel({ canImpersonate: true });
  expect(registry.reserve(need)).toBe(able);
});

test("an upgrade goes only to an agent that can upgrade, and the missing ability is reported", () => {
  const need = { ...NEED, upgrade: true };
  openTunnel();
  expect(registry.reserve(need)).toBeUndefined();
  expect(registry.presence(need)).toBe("cannot_upgrade");
  expect(registry.presence({ ...need, impersonation: true })).toBe("cannot_impersonate");
  const able = openTunnel({ canUpgrade: true });
  expect(registry.reserve(need)).toBe(able);
});

test("a free tunnel is reserved once", () => {
  const tunnel = openTunnel();
  expect(registry.reserve(NEED)).toBe(tunnel);
  expect(tunnel.state).toBe("reserved");
  expect(registry.reserve(NEED)).toBeUndefined();
});

test("a tunnel serves its own agent only", () => {
  openTunnel({ agentId: 2n });
  expect(registry.reserve(NEED)).toBeUndefined();
});

test("a tunnel is only given for what its descriptor names", () => {
  openTunnel({ method: "Other" });
  expect(registry.reserve(NEED)).toBeUndefined();
  const waited: Tunnel[] = [];
  registry.wait(NEED, (tunnel) => waited.push(tunnel));
  openTunnel({ method: "Other" });
  expect(waited).toEqual([]);
  const right = openTunnel();
  expect(waited).toEqual([right]);
});

test("waiting callers get tunnels in the order in which they came", () => {
  const order: string[] = [];
  for (const name of ["first", "second", "third"]) registry.wait(NEED, () => order.push(name));
  openTunnel();
  openTunnel();
  expect(order).toEqual(["first", "second"]);
  openTunnel();
  expect(order).toEqual(["first", "second", "third"]);
});

test("a caller that cannot use the tunnel does not hold up the one behind it", () => {
  const order: string[] = [];
  registry.wait({ ...NEED, method: "/s.S/Rare" }, () => order.push("rare"));
  registry.wait(NEED, () => order.push("common"));
  openTunnel();
  expect(order).toEqual(["common"]);
});

test("a caller that has given up is passed over", () => {
  const order: string[] = [];
  const giveUp = registry.wait(NEED, () => order.push("gone"));
  registry.wait(NEED, () => order.push("here"));
  giveUp();
  openTunnel();
  expect(order).toEqual(["here"]);
});

test("a tunnel given back goes to the next caller, or is free again", () => {
  const tunnel = openTunnel();
  registry.reserve(NEED);
  let given = 0;
  registry.wait(NEED, () => (given += 1));
  registry.release(tunnel);
  expect(given).toBe(1);
  registry.release(tunnel);
  expect(tunnel.state).toBe("ready");
  expect(registry.reserve(NEED)).toBe(tunnel);
});

test("a tunnel that was started, or is gone, cannot be given back", () => {
  const used = openTunnel();
  registry.reserve(NEED);
  start(used);
  registry.release(used);
  expect(used.state).toBe("started");
  const gone = openTunnel();
  registry.reserve(NEED);
  gone.closed();
  registry.release(gone);
  expect(registry.counts()).toMatchObject({ open: 1, idle: 0 });
});

test("more callers than the limit are refused at once", () => {
  const giveUp = [1, 2, 3].map(() => registry.wait(NEED, () => undefined));
  expect(() => registry.wait(NEED, () => undefined)).toThrow(expect.objectContaining({ reason: "queue_full" }));
  giveUp[0]?.();
  expect(() => registry.wait(NEED, () => undefined)).not.toThrow();
});

test("the limit of one agent does not touch another", () => {
  for (let count = 0; count < 3; count += 1) registry.wait(NEED, () => undefined);
  expect(() => registry.wait({ ...NEED, agentId: 2n }, () => undefined)).not.toThrow();
});

test("the newest tunnel of the replica with the fewest calls is taken", () => {
  const busy = openTunnel({ replica: "i:a" });
  registry.reserve(NEED);
  start(busy);
  openTunnel({ replica: "i:a" });
  openTunnel({ replica: "i:b" });
  const newest = openTunnel({ replica: "i:b" });
  expect(registry.reserve(NEED)).toBe(newest);
});

test("a particular replica is found by the id of its configuration stream", () => {
  openTunnel({ replica: "i:a" });
  const wanted = openTunnel({ replica: "i:b" });
  registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:b" });
  expect(registry.reserve({ ...NEED, connectionId: 7n })).toBe(wanted);
  expect(registry.reserve({ ...NEED, connectionId: 7n })).toBeUndefined();
  expect(registry.reserve({ ...NEED, connectionId: 8n })).toBeUndefined();
});

test("a connection id of one agent does not reach another agent", () => {
  openTunnel({ agentId: 2n, replica: "i:a" });
  registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:a" });
  expect(registry.reserve({ ...NEED, agentId: 2n, connectionId: 7n })).toBeUndefined();
});

test("a caller that waits for a replica is served once it is known which one that is", () => {
  const tunnel = openTunnel({ replica: "i:b" });
  const given: Tunnel[] = [];
  registry.wait({ ...NEED, connectionId: 7n }, (found) => given.push(found));
  expect(given).toEqual([]);
  registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:b" });
  expect(given).toEqual([tunnel]);
});

test("presence distinguishes no tunnel, an outdated agent, busy and free tunnels", () => {
  expect(registry.presence(NEED)).toBe("absent");
  openTunnel({ method: "Other" });
  expect(registry.presence(NEED)).toBe("unknown_method");
  openTunnel();
  expect(registry.presence(NEED)).toBe("free");
  registry.reserve(NEED);
  expect(registry.presence(NEED)).toBe("busy");
});

test("presence is announced with the first tunnel and with the last, whatever state it is in", () => {
  const seen: boolean[] = [];
  registry.onPresence((_agentId, present) => seen.push(present));
  const first = openTunnel();
  const second = openTunnel();
  registry.reserve(NEED);
  first.closed();
  expect(seen).toEqual([true]);
  second.closed();
  expect(seen).toEqual([true, false]);
});

test("nothing is left when all have gone", () => {
  const tunnels = [openTunnel(), openTunnel({ replica: "i:b" })];
  const giveUp = registry.wait({ ...NEED, method: "/s.S/Rare" }, () => undefined);
  registry.bindConnection({ agentId: 1n, connectionId: 7n, replica: "i:b" });
  for (const tunnel of tunnels) tunnel.closed();
  giveUp();
  giveUp();
  registry.unbindConnection(7n);
  expect(registry.counts()).toEqual(EMPTY);
});

test("I14: an agent is connected exactly while it has an open tunnel or a configuration stream", () => {
  registry.wait(NEED, () => undefined);
  expect(registry.counts()).toMatchObject({ agents: 0, waiting: 1 });
  registry.bindConnection({ agentId: 2n, connectionId: 7n, replica: "i:b" });
  expect(registry.counts()).toMatchObject({ agents: 1, open: 0, connections: 1 });
  const tunnel = openTunnel({ agentId: 2n, replica: "i:b" });
  openTunnel({ agentId: 3n });
  expect(registry.counts().agents).toBe(2);
  tunnel.closed();
  expect(registry.counts().agents).toBe(2);
  registry.unbindConnection(7n);
  expect(registry.counts().agents).toBe(1);
});
