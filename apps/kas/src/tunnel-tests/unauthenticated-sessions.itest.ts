import { once } from "node:events";
import { connect, type ClientHttp2Session } from "node:http2";

import { Fault } from "@binnacle/rpc";
import { ManualClock, settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { noMetrics, type RefusalReason } from "../agent-call/routing-metrics.ts";
import { startTestKas, testAuthenticator, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { dialTcp } from "../testing/raw-http2.ts";
import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";

let clock: ManualClock;
let kas: TestKas;
let refused: RefusalReason[];
/** Set: the main application answers when the test says. */
let held: (() => void)[] | undefined;
const clients: ClientHttp2Session[] = [];
beforeEach(async () => {
  clock = new ManualClock();
  refused = [];
  held = undefined;
  kas = await startTestKas({
    clock,
    metrics: { ...noMetrics, refused: (_listener, reason) => void refused.push(reason) },
    authenticator: {
      async authenticate(authorization, signal) {
        if (held) await new Promise<void>((resolve) => held?.push(resolve));
        return testAuthenticator.authenticate(authorization, signal);
      },
    },
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  const stopped = kas.stop();
  // The grace period is on the clock too.
  while (!(await Promise.race([stopped.then(() => true), settle().then(() => false)]))) clock.advance(100);
});

const agentAddress = (): string => kas.agentUrl.replace("grpc://", "");

async function open(): Promise<ClientHttp2Session> {
  const session = connect(`http://${agentAddress()}`);
  session.on("error", () => undefined);
  clients.push(session);
  await once(session, "remoteSettings");
  return session;
}

function authenticate(session: ClientHttp2Session, token: string): Promise<unknown> {
  const headers = { ":method": "POST", ":path": CONNECT_PATH, "content-type": "application/grpc", authorization: `Bearer ${token}` };
  const stream = session.request(headers);
  stream.on("error", () => undefined);
  return once(stream, "response");
}

const pong = (session: ClientHttp2Session): Promise<unknown> => new Promise((resolve) => session.ping(resolve));

test("XM12, T14: a connection that shows no credential is closed after 30 s, though it answers every ping", async () => {
  const session = await open();
  await pong(session);
  clock.advance(29_000);
  await pong(session);
  expect(session.destroyed).toBe(false);
  clock.advance(1_000);
  await until(() => session.destroyed);
  expect(refused).toEqual(["unauthenticated_timeout"]);
});

test("XM12: bad credentials do not keep a connection, a good one does", async () => {
  const [bad, good] = [await open(), await open()];
  await authenticate(bad, "unknown");
  await authenticate(good, "agent-1");
  clock.advance(30_000);
  await until(() => bad.destroyed);
  await pong(good);
  expect(good.destroyed).toBe(false);
  expect(refused).toEqual(["token_unknown", "unauthenticated_timeout"]);
});

test("XM12: a credential that is just being checked gives the connection 30 s more, once", async () => {
  held = [];
  const session = await open();
  void authenticate(session, "agent-1").catch(() => undefined); // its connection ends first
  await until(() => held?.length === 1);
  clock.advance(30_000);
  await pong(session);
  expect(session.destroyed).toBe(false);
  clock.advance(30_000);
  await until(() => session.destroyed);
  expect(refused).toEqual(["unauthenticated_timeout"]);
  for (const answer of held) answer();
});

test("XM12, T14: of more than 64 silent connections of an address the oldest goes, and who shows a credential stays", async () => {
  const known = await open();
  await authenticate(known, "agent-1");
  const silent: ClientHttp2Session[] = [];
  for (let count = 0; count < 70; count += 1) {
    const session = await open();
    await pong(session);
    silent.push(session);
  }
  expect(silent.some(({ destroyed }) => destroyed)).toBe(false);
  clock.advance(2_000);
  await until(() => silent.filter(({ destroyed }) => destroyed).length === 6);
  expect(silent.map(({ destroyed }) => destroyed)).toEqual([...Array<boolean>(6).fill(true), ...Array<boolean>(64).fill(false)]);
  expect(known.destroyed).toBe(false);
  const newcomer = await open();
  await authenticate(newcomer, "agent-2");
  expect(refused.every((reason) => reason === "unauthenticated_limit")).toBe(true);
});

test("XM12: connections whose credential is being checked are not silent", async () => {
  held = [];
  const sessions: ClientHttp2Session[] = [];
  for (let count = 0; count < 70; count += 1) sessions.push(await open());
  const busy = sessions.slice(6);
  const answers = busy.map((session) => authenticate(session, "agent-1"));
  await until(() => held?.length === 64);
  for (let count = 0; count < 64; count += 1) await pong(await open());
  clock.advance(2_000);
  expect(busy.some(({ destroyed }) => destroyed)).toBe(false);
  for (const answer of held) answer();
  await Promise.all(answers);
  expect(busy.some(({ destroyed }) => destroyed)).toBe(false);
});

test("M6, T14: a byte of HTTP/1 every nine seconds does not keep a connection", async () => {
  const socket = dialTcp(agentAddress());
  const closed = once(socket, "close");
  socket.on("error", () => undefined).resume();
  socket.write("GET / HTTP/1.1\r\nx: ");
  await once(socket, "connect");
  for (let count = 0; count < 50 && !socket.closed; count += 1) {
    socket.write("a");
    await settle();
    clock.advance(9_000);
    await settle();
  }
  await closed;
  expect(socket.closed).toBe(true);
});

test("T14: what the main application cannot say is no refusal of the agent, and is counted by its reason", async () => {
  const away = await startTestKas({
    metrics: { ...noMetrics, refused: (_listener, reason) => void refused.push(reason) },
    authenticator: { authenticate: () => Promise.reject(new Fault("main_application_unavailable", "away")) },
  });
  const session = connect(away.agentUrl.replace("grpc:", "http:"));
  clients.push(session);
  const [headers] = (await authenticate(session, "agent-1")) as [Record<string, unknown>]; // what `response` gives
  expect(headers).toMatchObject({ "grpc-status": "14", "binnacle-reason": "main_application_unavailable" });
  expect(refused).toEqual(["main_application_unavailable"]);
  session.destroy();
  await away.stop();
});

test("XM12, KB4: agents of one address with a retry delay do not count as silent", async () => {
  const away = await startTestKas({
    authenticator: { authenticate: () => Promise.reject(new Fault("main_application_unavailable", "away", { retryAfterSeconds: 20 })) },
  });
  const sessions = Array.from({ length: 70 }, () => connect(away.agentUrl.replace("grpc:", "http:")));
  clients.push(...sessions);
  await Promise.all(sessions.map((session) => authenticate(session, "agent-1")));
  for (let count = 0; count < 64; count += 1) clients.push(connect(away.agentUrl.replace("grpc:", "http:")));
  await Promise.all(sessions.map(pong));
  expect(sessions.some(({ destroyed }) => destroyed)).toBe(false);
  await away.stop();
});
