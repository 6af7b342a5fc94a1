import { once } from "node:events";
import type { Socket } from "node:net";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HttpResponseSchema } from "@binnacle/proto/grpctool";
import { Fault } from "@binnacle/rpc";
import { settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { AuditRecord } from "../audit/audit-record.ts";
import { ORIGIN, PREFIX, ProxyUnderTest } from "../testing/proxy-under-test.ts";

let proxy: ProxyUnderTest;
let records: AuditRecord[];
let counted: string[];
beforeEach(async () => {
  // A connection of the test before may end late.
  const [own, ended]: [AuditRecord[], string[]] = [[], []];
  [records, counted] = [own, ended];
  proxy = await ProxyUnderTest.start({
    audit: { add: (record) => void own.push(record) },
    upgrades: {
      idleMs: 600_000,
      maxMs: 3_600_000,
      onOpened: () => void ended.push("opened"),
      onEnded: (outcome) => void ended.push(outcome),
    },
  });
  // A test answers by itself.
  proxy.router.onRequest = () => undefined;
});
afterEach(() => proxy.stop());

const PAT = "Authorization: Bearer pat:7:good";
const SERVICE = `${PREFIX}-/services/live/socket?x=1`;
const EXEC = `${PREFIX}api/v1/namespaces/shop/pods/web-0/exec?command=sh&command=-c&command=canary&container=app&stdin=true`;
const WEBSOCKET = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="];
const SPDY = ["Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: v5.channel.k8s.io"];

interface Dialled {
  readonly lines?: readonly string[];
  readonly path?: string;
  readonly method?: string;
  /** Sent behind the headers. */
  readonly more?: string;
  readonly upgrade?: readonly string[];
}

/** Asks for an upgrade, and says what has come back so far. */
function dial({ lines = [PAT], path = EXEC, method = "GET", more = "", upgrade = WEBSOCKET }: Dialled = {}) {
  const socket = proxy.dial({ allowHalfOpen: true });
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  socket.on("end", () => socket.end());
  socket.write([`${method} ${path} HTTP/1.1`, "Host: kas", "Connection: Upgrade", ...upgrade, ...lines, "", more].join("\r\n"));
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
const bytes = (text: string | Uint8Array): Answer => ({ case: "upgradeData", value: { data: Buffer.from(text) } });
const TRAILER: Answer = { case: "trailer", value: {} };
const end = (code = 0, message = ""): void => proxy.call().listener.end({ code, message, trailer: new Map(), stage: "answered" });
const sent = () =>
  proxy.call().messages.flatMap(({ message }) => (message.case === "upgradeData" ? [Buffer.from(message.value.data).toString()] : []));

async function asked(calls = 1): Promise<void> {
  await until(() => proxy.router.calls[calls - 1]?.messages.some(({ message }) => message.case === "trailer") === true);
}

/** A connection that is upgraded already. */
async function upgraded(dialled: Dialled & { readonly protocol?: string } = {}): Promise<ReturnType<typeof dial>> {
  const calls = proxy.router.calls.length;
  const connection = dial(dialled);
  await asked(calls + 1);
  answer(head(101, { Connection: "Upgrade", Upgrade: dialled.protocol ?? "websocket" }));
  answer(TRAILER);
  await until(() => connection.received().includes("101 Switching Protocols"));
  return connection;
}

/** The only connection so far has ended so. */
async function over(outcome: string): Promise<void> {
  await until(() => counted.length >= 2);
  expect(counted).toEqual(["opened", outcome]);
}

/** Sends until the client's process and both systems take no more: kas has nothing left to do but to wait. */
async function fill(socket: Socket): Promise<void> {
  socket.pause();
  for (let waited = 0; waited < 50; waited += 1) {
    if (!proxy.call().paused) {
      answer(bytes(new Uint8Array(64 * 1024)));
      waited = 0;
    }
    await settle();
  }
}

describe.each([
  { title: "the Kubernetes API", path: EXEC, method: "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest", upgrade: true },
  { title: "a service", path: SERVICE, method: "/kas.v1.ServiceProxy/MakeRequest", upgrade: false },
])("$title", ({ path, method, upgrade }) => {
  test("bytes pass both ways once 101 was answered, and none before", async () => {
    const { socket, received, closed } = dial({
      path,
      lines: [PAT, "Cookie: a=canary", "Sec-WebSocket-Protocol: v5.channel.k8s.io"],
      more: "early",
    });
    await asked();
    expect(proxy.call().request).toMatchObject({ method, upgrade, context: { class: "upgrade", caller: { id: "1" } } });
    expect(proxy.asked()).toMatchObject({
      method: "GET",
      header: {
        Connection: { value: ["Upgrade"] },
        Upgrade: { value: ["websocket"] },
        "Sec-WebSocket-Protocol": { value: ["v5.channel.k8s.io"] },
      },
    });
    expect(JSON.stringify(proxy.asked().header)).not.toContain("canary");
    expect([sent(), received(), proxy.call().halfClosed]).toEqual([[], "", false]);
    answer(
      head(101, { Upgrade: "WebSocket", "Sec-Websocket-Accept": "ok", "Sec-Websocket-Protocol": "v5.channel.k8s.io", "Set-Cookie": "a=b" }),
    );
    answer(TRAILER);
    answer(bytes("from the cluster"));
    await until(() => received().includes("from the cluster"));
    expect(received()).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    expect(received()).toMatch(/\r\nconnection: Upgrade\r\nupgrade: websocket\r\n/);
    expect(received()).toContain("sec-websocket-accept: ok\r\nsec-websocket-protocol: v5.channel.k8s.io\r\n");
    expect(received()).not.toMatch(/set-cookie|transfer-encoding/i);
    socket.write("later");
    await until(() => sent().join("") === "earlylater");
    answer(bytes("last words"));
    end();
    await closed;
    expect(received()).toMatch(/last words$/);
    await over("ended");
  });

  test("T1: anything but 101 is an answer like any other, after which the connection ends and carries no bytes", async () => {
    const { received, closed } = dial({ path, more: `GET ${PREFIX}api HTTP/1.1\r\nHost: kas\r\n${PAT}\r\n\r\n` });
    await asked();
    answer(head(403, { "Content-Type": "application/json", "Content-Length": "17", "Set-Cookie": "a=b" }));
    expect(proxy.call().halfClosed).toBe(true);
    answer({ case: "data", value: { data: Buffer.from('{"kind":"Status"}') } });
    answer(TRAILER);
    end();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(received()).toMatch(/\r\nConnection: close\r\n/i);
    expect(received()).toMatch(/\r\n\r\n\{"kind":"Status"\}$/);
    expect(received()).not.toContain("set-cookie");
    expect(sent()).toEqual([]);
    expect(proxy.router.calls).toHaveLength(1);
    expect(counted).toEqual([]);
  });

  test.each([
    ["bytes before a 101", [bytes("x")]],
    ["bytes after a refusal", [head(403), TRAILER, bytes("x")]],
    ["a body after a 101", [head(101, { Upgrade: "websocket" }), { case: "data", value: { data: Buffer.from("x") } }]],
    ["bytes before the trailer", [head(101, { Upgrade: "websocket" }), bytes("x")]],
    ["101 without a protocol", [head(101), TRAILER, bytes("x")]],
    ["101 with another protocol", [head(101, { Upgrade: "SPDY/3.1" }), TRAILER, bytes("x")]],
    [
      "a header that ends early",
      [head(101, { Upgrade: "websocket", "Sec-Websocket-Accept": "a\r\nSet-Cookie: a=b" }), TRAILER, bytes("x")],
    ],
  ] as readonly (readonly [string, readonly Answer[]])[])(
    "T1, T15, T36: an agent that answers %s does not reach the client",
    async (_what, messages) => {
      const { received, closed } = dial({ path });
      await asked();
      for (const message of messages) answer(message);
      await closed;
      expect(received()).not.toMatch(/\r\n\r\nx$|set-cookie: a=b\r/i);
      expect(proxy.violations).toMatchObject([[7n, expect.stringMatching(/answer_broken|frame_order/)]]);
    },
  );
});

describe("who may", () => {
  test("T8, T9, T36: who may not is told so before an agent is asked", async () => {
    for (const path of [EXEC, SERVICE]) {
      for (const [lines, status, words] of [
        [[], 401, "expecting token"],
        [[PAT, "Origin: https://evil.example"], 403, "this origin"],
        [["Cookie: _gitlab_kas=good", "Gitlab-Agent-Id: 7", "X-Csrf-Token: t"], 403, "must name its origin"],
        [["Cookie: _gitlab_kas=good", "Gitlab-Agent-Id: 7", `Origin: ${ORIGIN}`], 401, "CSRF token"],
      ] as const) {
        const { received, closed } = dial({ lines, path });
        await closed;
        expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(received()).toContain(words);
        expect(received()).toContain('"kind":"Status"');
      }
    }
    const hidden = dial({ path: `${PREFIX}-/services/live/%2e%2e/x` });
    await hidden.closed;
    expect(hidden.received()).toContain("hides slashes, dots or control characters");
    expect(proxy.router.calls).toEqual([]);
  });

  test("the origin of the main application may open one, with the credential in its address", async () => {
    dial({ lines: [`Origin: ${ORIGIN}`, "Cookie: _gitlab_kas=good"], path: `${EXEC}&gitlab-agent-id=7&gitlab-csrf-token=t` });
    await asked();
    expect(Object.keys(proxy.asked().query)).toEqual(["command", "container", "stdin"]);
  });

  test("T7: a token in the place of a subprotocol reaches no cluster, and is not taken for a credential", async () => {
    const token = "base64url.bearer.authorization.k8s.io.Y2FuYXJ5";
    const only = dial({ lines: [`Sec-WebSocket-Protocol: ${token}, v5.channel.k8s.io`] });
    await only.closed;
    expect(only.received()).toMatch(/^HTTP\/1\.1 401 [\s\S]*a token in Sec-WebSocket-Protocol is not taken/);
    dial({ lines: [PAT, `Sec-WebSocket-Protocol: ${token}, v5.channel.k8s.io`, "Sec-WebSocket-Protocol: gitlab-agent-id.7"] });
    await asked();
    expect(proxy.asked().header).toMatchObject({ "Sec-WebSocket-Protocol": { value: ["v5.channel.k8s.io"] } });
    expect(JSON.stringify(proxy.asked())).not.toContain("Y2FuYXJ5");
  });

  test("T6: an upgrade claims no identity where kas says who it is", async () => {
    const { received, closed } = dial({ lines: [PAT, "Impersonate-User: admin"] });
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(proxy.router.calls).toEqual([]);
  });

  test("T23: it ends when the rights behind it are gone, and the record says so", async () => {
    const { closed } = await upgraded();
    proxy.application.answer = () => ({ status: 401, body: {} });
    proxy.clock.advance(30_000);
    await closed;
    expect(proxy.call().cancelled).toBe(true);
    await until(() => records.length === 2);
    expect(records[1]).toMatchObject({ event: "end", outcome: "access_withdrawn" });
  });
});

test("SPDY/3.1 is passed on by POST with its protocol version, and only to the Kubernetes API", async () => {
  const { received } = dial({ method: "POST", upgrade: SPDY, lines: [PAT, "Content-Length: 0"] });
  await asked();
  expect(proxy.asked()).toMatchObject({
    method: "POST",
    header: { Upgrade: { value: ["SPDY/3.1"] }, "x-stream-protocol-version": { value: ["v5.channel.k8s.io"] } },
  });
  answer(head(101, { Upgrade: "SPDY/3.1", "X-Stream-Protocol-Version": "v5.channel.k8s.io" }));
  await until(() => received().includes("\r\n\r\n"));
  expect(received()).toMatch(/x-stream-protocol-version: v5\.channel\.k8s\.io\r\n/);
  const service = dial({ path: SERVICE, upgrade: SPDY });
  await service.closed;
  expect(service.received()).toMatch(/^HTTP\/1\.1 501 /);
});

test("T1: an upgrade with a body, of another method or to another protocol is an ordinary request", async () => {
  proxy.router.onRequest = (call) => (call.respond(200, { "Content-Type": ["application/json"] }), call.data("{}"), call.finish());
  for (const dialled of [
    { upgrade: ["Upgrade: h2c"] },
    { method: "PUT", more: "" },
    { method: "POST", lines: [PAT, "Content-Length: 2"], more: "{}" },
    { method: "POST", lines: [PAT, "Transfer-Encoding: chunked"], more: "0\r\n\r\n" },
  ]) {
    const { socket, received } = dial(dialled);
    await until(() => received().includes("{}"));
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(proxy.asked().header).not.toHaveProperty("Upgrade");
    socket.destroy();
  }
});

describe("its end", () => {
  test("a call that the agent never saw is made again", async () => {
    dial();
    await asked();
    proxy.call().fail(14, "the agent retired the tunnel", "not_started");
    await asked(2);
    expect(proxy.router.calls).toHaveLength(2);
  });

  test("an agent that never answers is given up, one that has none is said, and a kas that leaves cuts all", async () => {
    const silent = dial();
    await asked();
    proxy.clock.advance(70_000);
    await silent.closed;
    expect(silent.received()).toContain("has not begun to answer in 70 s");
    const running = await upgraded();
    proxy.proxy.leave();
    await running.closed;
    await over("draining");
    proxy.router.failure = new Fault("cannot_upgrade", "agent 7 is connected, but cannot upgrade connections");
    const old = dial();
    await old.closed;
    expect(old.received()).toMatch(/^HTTP\/1\.1 501 [\s\S]*"reason":"cannot_upgrade"/);
  });

  test("a client that ends its half is half-closed towards the agent, and gets what comes after", async () => {
    const { socket, received, closed } = await upgraded();
    socket.end("last");
    await until(() => proxy.call().halfClosed);
    expect(sent()).toEqual(["last"]);
    answer(bytes("answer"));
    end();
    await closed;
    expect(received()).toMatch(/answer$/);
    await over("ended");
  });

  test("a client that has ended its half does not hold a silent agent for an hour", async () => {
    const { socket, closed } = await upgraded();
    socket.end();
    await until(() => proxy.call().halfClosed);
    proxy.clock.advance(30_000);
    await closed;
    expect(proxy.call().cancelled).toBe(true);
    await over("client_left");
  });

  test("a client that leaves cancels the call, before the answer too", async () => {
    const early = dial();
    await asked();
    early.socket.end();
    await until(() => proxy.call().cancelled || proxy.call().request.signal.aborted);
    const { socket } = await upgraded();
    socket.resetAndDestroy();
    await until(() => counted.length === 2);
    expect(proxy.call().cancelled).toBe(true);
    await over("client_left");
  });

  test("an agent that is lost ends it, behind the bytes that came", async () => {
    const { received, closed } = await upgraded();
    answer(bytes("so far"));
    end(14, "the tunnel broke");
    await closed;
    expect(received()).toMatch(/so far$/);
    await over("agent_lost");
  });

  test("it ends when it carries nothing, and a byte in either direction is something", async () => {
    const { socket, closed } = await upgraded();
    for (const move of [() => answer(bytes("x")), () => void socket.write("y")]) {
      for (let part = 0; part < 11; part += 1) {
        await proxy.clock.elapse(50_000);
        await proxy.answers();
      }
      const before = sent().length;
      move();
      if (before === 0) await settle();
    }
    await until(() => sent().length === 1);
    expect(counted).toEqual(["opened"]);
    for (let part = 0; part < 12; part += 1) {
      await proxy.clock.elapse(50_000);
      await proxy.answers();
    }
    await closed;
    await over("idle");
  });

  test("it ends after its longest time, however much it carries", async () => {
    const { closed } = await upgraded();
    for (let part = 0; part < 71; part += 1) {
      answer(bytes("x"));
      await proxy.clock.elapse(50_000);
      await proxy.answers();
    }
    expect(counted).toEqual(["opened"]);
    await proxy.clock.elapse(50_000);
    await closed;
    await over("too_long");
  });

  test("T14: a client that reads nothing for 20 s while bytes wait for it is cut; a silent one is not", async () => {
    const { socket } = await upgraded();
    await proxy.clock.elapse(25_000);
    await fill(socket);
    await proxy.clock.elapse(19_000);
    expect(counted).toEqual(["opened"]);
    await proxy.clock.elapse(2_000);
    await until(() => counted.length === 2);
    await over("stalled");
    expect(proxy.call().cancelled).toBe(true);
    socket.destroy();
  });

  test("T14: a client that reads again goes on", async () => {
    const { socket } = await upgraded();
    await fill(socket);
    await proxy.clock.elapse(15_000);
    socket.resume();
    await until(() => !proxy.call().paused);
    await proxy.clock.elapse(15_000);
    expect(counted).toEqual(["opened"]);
    socket.destroy();
  });

  test("T14: an agent that takes nothing for 20 s stops the client, and is cut", async () => {
    const { socket, closed } = await upgraded();
    proxy.call().room = false;
    socket.write("x");
    await until(() => sent().length === 1);
    socket.write("y");
    await settle();
    expect(sent()).toEqual(["x"]);
    proxy.call().drain();
    await until(() => sent().length === 2);
    proxy.call().room = false;
    socket.write("z");
    await until(() => sent().length === 3);
    proxy.clock.advance(20_000);
    await closed;
    await over("stalled");
  });
});

test("T42: an exec is recorded at its start and its end, by its program without its arguments, and a refused one with its code", async () => {
  const { socket, received } = await upgraded();
  answer(bytes("12345"));
  await until(() => received().includes("12345"));
  socket.write("abc");
  await until(() => sent().length === 1);
  end();
  await until(() => records.length === 2);
  proxy.router.failure = new Fault("agent_not_connected", "no");
  await dial({ path: SERVICE }).closed;
  await until(() => records.length === 4);
  const action = {
    verb: "connect",
    apiGroup: "",
    resource: "pods",
    subresource: "exec",
    namespace: "shop",
    name: "web-0",
    container: "app",
    program: "sh",
    programArguments: 2,
  };
  const service = { service: "live", method: "GET" };
  expect(records).toMatchObject([
    { event: "start", action, agentId: 7n },
    { event: "end", action, code: 101, outcome: "ended", bytesIn: 3, bytesOut: 5 },
    { event: "start", action: service },
    { event: "end", action: service, code: 503 },
  ]);
  expect(records[3]).not.toHaveProperty("outcome");
  const text = JSON.stringify(records, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  expect(text).not.toContain("canary");
});
