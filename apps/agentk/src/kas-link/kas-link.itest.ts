import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

import { dialHttp2, GrpcClientStream, NO_METADATA } from "@binnacle/grpc-wire";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeKas } from "../testing/fake-kas.ts";
import { KasLink, type KasLinkOptions } from "./kas-link.ts";

let kas: FakeKas;
let relay: Server;
let sockets: Socket[];
let frozen: boolean;
let stop: AbortController;
let link: KasLink;
let running: Promise<void>;
/** When each attempt to connect began. */
let dials: number[];
let lines: string[];
/** Events that the agent has recorded. */
let recorded: string[];
let url: string;

/** For a clock that moves only while nothing can answer. */
const QUICK = { intervalMs: 20, timeoutMs: 100 };

/** A wire to kas that can be frozen: connections stay open and nothing moves, as with a stopped process or a lost route. */
beforeEach(async () => {
  kas = await FakeKas.listen();
  sockets = [];
  frozen = false;
  dials = [];
  lines = [];
  recorded = [];
  relay = createServer((socket) => {
    const upstream = connect(kas.port, "127.0.0.1");
    sockets.push(socket, upstream);
    socket.on("data", (chunk) => void (frozen || upstream.write(chunk)));
    upstream.on("data", (chunk) => void (frozen || socket.write(chunk)));
    for (const side of [socket, upstream]) side.on("error", () => {}).on("close", () => (socket.destroy(), upstream.destroy()));
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  // The address of a listening TCP server is an AddressInfo.
  url = `grpc://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  stop = new AbortController();
});

/** Starts the link. */
function start(options: Pick<KasLinkOptions, "clock" | "keepAlive">): void {
  const log = createLogger("test", "silent");
  Object.assign(log, {
    info: (...entry: readonly unknown[]) => lines.push(`info: ${String(entry.at(-1))}`),
    warn: (...entry: readonly unknown[]) => lines.push(`warn: ${String(entry.at(-1))}`),
  });
  link = new KasLink({
    dial: (signal) => {
      dials.push(Date.now());
      // Where nothing moves no answer comes however long one waits; where something does it may take its time.
      return dialHttp2(url, frozen ? { signal, timeoutMs: 100 } : { signal });
    },
    log,
    agentEvents: { record: ({ what }) => void recorded.push(what) },
    backoff: { initialMs: 10, maxMs: 50 },
    ...options,
  });
  running = link.run(stop.signal);
}

afterEach(async () => {
  stop.abort();
  await running;
  await link.close();
  for (const socket of sockets) socket.destroy();
  relay.close();
  await once(relay, "close");
  await kas.close();
});

test("a kas that answers pings keeps its connection", async () => {
  start({ clock: systemClock, keepAlive: { intervalMs: 20, timeoutMs: 60_000 } });
  const session = await link.waitForSession(stop.signal);
  let pings = 0;
  await new Promise<void>((resolve) => {
    kas.sessions[0]?.on("ping", () => {
      pings += 1;
      if (pings === 5) resolve();
    });
  });
  expect(link.session).toBe(session);
  expect(dials).toHaveLength(1);
});

test("a kas that is silent although its connection stands is left, tried again for ever, and found again", async () => {
  const clock = new ManualClock();
  start({ clock, keepAlive: QUICK });
  const first = await link.waitForSession(stop.signal);
  frozen = true;
  await clock.advanceUntil(() => first?.destroyed === true);
  expect(link.session).toBeUndefined();
  await clock.advanceUntil(() => dials.length >= 4);
  frozen = false;
  await clock.advanceUntil(() => link.session !== undefined);
  const second = link.session;
  // Not by `toBe`, which looks into both.
  expect(second === first).toBe(false);
  expect(second?.destroyed).toBe(false);
});

test("who waits for a session while it stops gets none", async () => {
  start({ clock: systemClock });
  await link.waitForSession(stop.signal);
  frozen = true;
  kas.sessions[0]?.destroy();
  for (const socket of sockets) socket.destroy();
  await until(() => link.session === undefined);
  const waiting = link.waitForSession(stop.signal);
  stop.abort();
  expect(await waiting).toBeUndefined();
});

test("each connect and disconnect is a log line and an event of the agent, and attempts that fail for the same reason are one", async () => {
  const clock = new ManualClock();
  start({ clock, keepAlive: QUICK });
  await link.waitForSession(stop.signal);
  frozen = true;
  await clock.advanceUntil(() => dials.length >= 5);
  frozen = false;
  await clock.advanceUntil(() => link.session !== undefined);
  stop.abort();
  await running;
  await link.close();
  expect(lines).toEqual([
    "info: connected to kas",
    "warn: connection to kas lost",
    "warn: cannot connect to kas",
    "info: connected to kas",
    "info: left kas",
  ]);
  expect(recorded).toEqual(["connected", "connection-lost", "connected"]);
});

test("interop-3: a connection that is closed in order, but not by kas, is not logged as lost", async () => {
  start({ clock: systemClock });
  await link.waitForSession(stop.signal);
  for (const socket of sockets.splice(0)) socket.end();
  await until(() => dials.length === 2);
  await until(() => link.session !== undefined);
  expect(lines.slice(0, 2)).toEqual([
    "info: connected to kas",
    "info: connection ended without GOAWAY: by an intermediary, or kas has ended",
  ]);
});

test("a kas that asks for a new connection again and again does not pile up old ones", async () => {
  start({ clock: systemClock });
  const path = "/gitlab.agent.reverse_tunnel.rpc.ReverseTunnel/Connect";
  // Each session carries a call that never ends.
  link.onSession((session) => void new GrpcClientStream({ session, path, metadata: NO_METADATA }, { message: () => {}, end: () => {} }));
  for (let count = 1; count <= 20; count += 1) {
    await until(() => kas.tunnels.length === count);
    kas.sessions.at(-1)?.goaway(0);
  }
  await until(() => kas.tunnels.length === 21);
  await until(() => kas.sessions.filter((session) => !session.destroyed).length <= 5);
  expect(link.session).toBeDefined();
});
