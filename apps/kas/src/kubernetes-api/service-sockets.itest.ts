import { once } from "node:events";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HttpResponseSchema } from "@binnacle/proto/grpctool";
import { Fault } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { AuditRecord } from "../audit/audit-record.ts";
import { ORIGIN, PREFIX, ProxyUnderTest } from "../testing/proxy-under-test.ts";

let proxy: ProxyUnderTest;
let records: AuditRecord[];
beforeEach(async () => {
  // A connection of the test before may end late.
  const own: AuditRecord[] = [];
  records = own;
  proxy = await ProxyUnderTest.start({ audit: { add: (record) => void own.push(record) } });
  // A test answers by itself.
  proxy.router.onRequest = () => undefined;
});
afterEach(() => proxy.stop());

const HANDSHAKE = [
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  "Sec-WebSocket-Protocol: v1",
];
const PAT = "Authorization: Bearer pat:7:good";

/** Sends a handshake, and says what has come back so far. */
function dial(lines: readonly string[] = [PAT], path = `${PREFIX}-/services/live/socket?x=1`, more = "") {
  const socket = proxy.dial();
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  socket.write([`GET ${path} HTTP/1.1`, "Host: kas", "Connection: Upgrade", ...HANDSHAKE, ...lines, "", more].join("\r\n"));
  return { socket, received: () => received, closed: once(socket, "close") };
}

type Answer = NonNullable<MessageInitShape<typeof HttpResponseSchema>["message"]>;

function answer(message: Answer): void {
  proxy.call().listener.message(toBinary(HttpResponseSchema, create(HttpResponseSchema, { message })));
}

const head = (statusCode: number, header: Readonly<Record<string, string>> = {}): Answer => ({
  case: "header",
  value: {
    response: { statusCode, header: Object.fromEntries(Object.entries(header).map(([name, value]) => [name, { value: [value] }])) },
  },
});
const bytes = (text: string): Answer => ({ case: "upgradeData", value: { data: Buffer.from(text) } });
const TRAILER: Answer = { case: "trailer", value: {} };
const sent = () =>
  proxy.call().messages.flatMap(({ message }) => (message.case === "upgradeData" ? [Buffer.from(message.value.data).toString()] : []));

async function asked(): Promise<void> {
  await until(() => proxy.router.calls[0]?.messages.some(({ message }) => message.case === "trailer") === true);
}

test("bytes pass both ways once the service has answered 101, and none before", async () => {
  const { socket, received, closed } = dial([PAT, "Cookie: a=canary"], undefined, "early");
  await asked();
  expect(proxy.call().request).toMatchObject({
    method: "/kas.v1.ServiceProxy/MakeRequest",
    context: { class: "upgrade", caller: { id: "1" } },
  });
  expect(proxy.asked()).toMatchObject({ method: "GET", urlPath: "/socket", header: { upgrade: { value: ["websocket"] } } });
  expect(JSON.stringify(proxy.asked().header)).not.toContain("canary");
  expect([sent(), received()]).toEqual([[], ""]);
  answer(head(101, { "Sec-Websocket-Accept": "ok", "Sec-Websocket-Protocol": "v1", "Set-Cookie": "a=b", Location: "/x" }));
  answer(TRAILER);
  answer(bytes("from the service"));
  await until(() => received().includes("from the service"));
  expect(received()).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n/);
  expect(received()).toContain("sec-websocket-accept: ok\r\nsec-websocket-protocol: v1\r\n");
  expect(received()).not.toMatch(/set-cookie|location/i);
  socket.write("later");
  await until(() => sent().join("") === "earlylater");
  answer(bytes("last words"));
  proxy.call().listener.end({ code: 0, message: "", trailer: new Map(), stage: "answered" });
  await closed;
  expect(received()).toContain("last words");
});

test("T1: anything but 101 is an answer like any other, after which the connection ends and carries no bytes", async () => {
  const { received, closed } = dial([PAT], undefined, "GET /other HTTP/1.1\r\nHost: kas\r\n\r\n");
  await asked();
  answer(head(403, { "Content-Type": "application/json", "Set-Cookie": "a=b", "Binnacle-Service-Refusal": "service_not_allowed" }));
  answer({ case: "data", value: { data: Buffer.from('{"kind":"Status"}') } });
  answer(TRAILER);
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
  expect(received()).toContain("binnacle-service-refusal: service_not_allowed");
  expect(received()).toMatch(/connection: close\r\ncontent-length: 17\r\n\r\n\{"kind":"Status"\}$/);
  expect(received()).not.toContain("set-cookie");
  expect(sent()).toEqual([]);
});

test.each([
  ["bytes before a 101", [bytes("x")]],
  ["bytes after a refusal", [head(403), TRAILER, bytes("x")]],
  ["a body after a 101", [head(101), { case: "data", value: { data: Buffer.from("x") } }]],
  ["a success that is none", [head(200)]],
  ["a header that ends early", [head(101, { "Sec-Websocket-Accept": "a\r\nSet-Cookie: a=b" })]],
] as readonly (readonly [string, readonly Answer[]])[])(
  "T15, T36: an agent that answers %s does not reach the client",
  async (_what, messages) => {
    const { received, closed } = dial();
    await asked();
    try {
      for (const message of messages) answer(message);
    } catch (error) {
      // As a tunnel does with whoever breaks the rules.
      const { message } = error as Fault;
      proxy.call().listener.end({ code: 3, message, trailer: new Map(), stage: "answered" });
    }
    await closed;
    expect(received()).not.toMatch(/\r\n\r\nx$|set-cookie: a=b\r/i);
  },
);

test("T9, T36: who may not is told so before an agent is asked", async () => {
  for (const [lines, status] of [
    [[], 401],
    [[PAT, "Origin: https://evil.example"], 403],
  ] as const) {
    const { received, closed } = dial(lines);
    await closed;
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  }
  const hidden = dial([PAT], `${PREFIX}-/services/live/%2e%2e/x`);
  await hidden.closed;
  expect(hidden.received()).toContain("hides slashes, dots or control characters");
  expect(proxy.router.calls).toEqual([]);
  expect(proxy.refused).toHaveLength(3);
});

test("the origin of the main application may open one, with the credential in its address", async () => {
  dial([`Origin: ${ORIGIN}`, "Cookie: _gitlab_kas=good"], `${PREFIX}-/services/live/s?gitlab-agent-id=7&gitlab-csrf-token=t`);
  await asked();
  expect(Object.keys(proxy.asked().query)).toEqual([]);
});

test("T23: it ends when the rights behind it are gone", async () => {
  const { closed } = dial();
  await asked();
  answer(head(101));
  answer(TRAILER);
  proxy.application.answer = () => ({ status: 401, body: {} });
  proxy.clock.advance(30_000);
  await closed;
  expect(proxy.call().cancelled).toBe(true);
});

test("an agent that never answers is given up, one that has none is said, and a kas that leaves ends all", async () => {
  const silent = dial();
  await asked();
  proxy.clock.advance(70_000);
  await silent.closed;
  expect(silent.received()).toContain("the agent has not answered in 70 s");
  const running = dial();
  await until(() => proxy.router.calls[1]?.messages.length === 2);
  answer(head(101));
  answer(TRAILER);
  proxy.sockets.close();
  await running.closed;
  proxy.router.failure = new Fault("agent_not_connected", "agent 7 was not connected");
  const absent = dial();
  await absent.closed;
  expect(absent.received()).toMatch(/^HTTP\/1\.1 503 /);
});

test("T42: a WebSocket to a service is recorded at its start and its end, and a refused one with its code", async () => {
  const { socket, received } = dial();
  await asked();
  answer(head(101));
  answer(TRAILER);
  answer(bytes("12345"));
  await until(() => received().includes("12345"));
  socket.write("abc");
  await until(() => sent().length === 1);
  socket.end();
  await until(() => proxy.call().halfClosed);
  proxy.call().listener.end({ code: 0, message: "", trailer: new Map(), stage: "answered" });
  await until(() => records.length === 2);
  proxy.router.failure = new Fault("agent_not_connected", "no");
  await dial().closed;
  await until(() => records.length === 4);
  const action = { service: "live", method: "GET" };
  expect(records).toMatchObject([
    { event: "start", action },
    { event: "end", action, code: 101, bytesIn: 3, bytesOut: 5 },
    { event: "start", action },
    { event: "end", action, code: 503 },
  ]);
});
