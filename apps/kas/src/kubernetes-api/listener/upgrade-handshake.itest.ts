import { settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ORIGIN, PREFIX } from "./testing/proxy-under-test.ts";
import { bytes, EXEC_PATH, head, PAT_LINE, SERVICE_PATH, TRAILER, UpgradeScene, type AgentMessage } from "./testing/upgrade-scene.ts";

const SPDY = ["Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: v5.channel.k8s.io"];

let scene: UpgradeScene;
beforeEach(async () => {
  scene = await UpgradeScene.start();
});
afterEach(() => scene.stop());

describe.each([
  { title: "the Kubernetes API", path: EXEC_PATH, method: "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest", upgrade: true },
  { title: "a service", path: SERVICE_PATH, method: "/kas.v1.ServiceProxy/MakeRequest", upgrade: false },
])("$title", ({ path, method, upgrade }) => {
  test("bytes pass both ways once 101 was answered, and none before", async () => {
    const { socket, received, closed } = scene.dial({
      path,
      lines: [PAT_LINE, "Cookie: a=canary", "Sec-WebSocket-Protocol: v5.channel.k8s.io"],
      more: "early",
    });
    await scene.requested();
    expect(scene.proxy.call().request).toMatchObject({ method, upgrade, context: { class: "upgrade", caller: { id: "1" } } });
    expect(scene.proxy.requestHead()).toMatchObject({
      method: "GET",
      header: {
        Connection: { value: ["Upgrade"] },
        Upgrade: { value: ["websocket"] },
        "Sec-WebSocket-Protocol": { value: ["v5.channel.k8s.io"] },
      },
    });
    expect(JSON.stringify(scene.proxy.requestHead().header)).not.toContain("canary");
    expect([scene.sent(), received(), scene.proxy.call().halfClosed]).toEqual([[], "", false]);
    socket.write(" and earlier than the answer");
    for (let turn = 0; turn < 5; turn += 1) await settle();
    scene.answer(
      head(101, { Upgrade: "WebSocket", "Sec-Websocket-Accept": "ok", "Sec-Websocket-Protocol": "v5.channel.k8s.io", "Set-Cookie": "a=b" }),
    );
    scene.answer(TRAILER);
    scene.answer(bytes("from the cluster"));
    await until(() => received().includes("from the cluster"));
    expect(received()).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    expect(received()).toMatch(/\r\nconnection: Upgrade\r\nupgrade: websocket\r\n/);
    expect(received()).toContain("sec-websocket-accept: ok\r\nsec-websocket-protocol: v5.channel.k8s.io\r\n");
    expect(received()).not.toMatch(/set-cookie|transfer-encoding/i);
    socket.write(", later");
    await until(() => scene.sent().join("") === "early and earlier than the answer, later");
    scene.answer(bytes("last words"));
    scene.end();
    await closed;
    expect(received()).toMatch(/last words$/);
    expect(await scene.outcomes()).toEqual(["opened", "ended"]);
  });

  test("T1: anything but 101 is an answer like any other, after which the connection ends and carries no bytes", async () => {
    const { received, closed } = scene.dial({ path, more: `GET ${PREFIX}api HTTP/1.1\r\nHost: kas\r\n${PAT_LINE}\r\n\r\n` });
    await scene.requested();
    scene.answer(head(403, { "Content-Type": "application/json", "Content-Length": "17", "Set-Cookie": "a=b" }));
    expect(scene.proxy.call().halfClosed).toBe(true);
    scene.answer({ case: "data", value: { data: Buffer.from('{"kind":"Status"}') } });
    scene.answer(TRAILER);
    scene.end();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(received()).toMatch(/\r\nConnection: close\r\n/i);
    expect(received()).toMatch(/\r\n\r\n\{"kind":"Status"\}$/);
    expect(received()).not.toContain("set-cookie");
    expect(scene.sent()).toEqual([]);
    expect(scene.proxy.router.calls).toHaveLength(1);
    expect(scene.counted).toEqual([]);
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
  ] as readonly (readonly [string, readonly AgentMessage[]])[])(
    "T1, T15, T36: an agent that answers %s does not reach the client",
    async (_what, messages) => {
      const { received, closed } = scene.dial({ path });
      await scene.requested();
      for (const message of messages) scene.answer(message);
      await closed;
      expect(received()).not.toMatch(/\r\n\r\nx$|set-cookie: a=b\r/i);
      expect(scene.proxy.violations).toMatchObject([[7n, expect.stringMatching(/answer_broken|frame_order/)]]);
    },
  );
});

describe("who may", () => {
  test("T8, T9, T36: an unauthorized caller is rejected before an agent is called", async () => {
    for (const path of [EXEC_PATH, SERVICE_PATH]) {
      for (const [lines, status, words] of [
        [[], 401, "expecting token"],
        [[PAT_LINE, "Origin: https://evil.example"], 403, "this origin"],
        [[PAT_LINE, "Origin: https://kas:8443"], 403, "this origin"],
        [[PAT_LINE, "Origin: ftp://kas"], 403, "this origin"],
        [[PAT_LINE, "Origin: https://kas", "Cookie: a=b"], 403, "this origin"],
        [["Origin: https://kas"], 403, "this origin"],
        [["Cookie: _gitlab_kas=good", "Gitlab-Agent-Id: 7", "X-Csrf-Token: t"], 403, "must name its origin"],
        [["Cookie: _gitlab_kas=good", "Gitlab-Agent-Id: 7", `Origin: ${ORIGIN}`], 401, "CSRF token"],
      ] as const) {
        const { received, closed } = scene.dial({ lines, path });
        await closed;
        expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(received()).toContain(words);
        expect(received()).toContain('"kind":"Status"');
      }
    }
    const hidden = scene.dial({ path: `${PREFIX}-/services/live/%2e%2e/x` });
    await hidden.closed;
    expect(hidden.received()).toContain("hides slashes, dots or control characters");
    expect(scene.proxy.router.calls).toEqual([]);
  });

  test("a program with a token may name the address that it asks as its origin", async () => {
    const { received } = await scene.upgraded({ lines: [PAT_LINE, "Origin: https://kas"] });
    expect(received()).not.toMatch(/access-control/i);
    expect(scene.proxy.requestHead().header).not.toHaveProperty("Origin");
  });

  test("the origin of the main application may open one, with the credential in its address", async () => {
    scene.dial({ lines: [`Origin: ${ORIGIN}`, "Cookie: _gitlab_kas=good"], path: `${EXEC_PATH}&gitlab-agent-id=7&gitlab-csrf-token=t` });
    await scene.requested();
    expect(Object.keys(scene.proxy.requestHead().query)).toEqual(["command", "container", "stdin"]);
  });

  test("T7: a token in the place of a subprotocol reaches no cluster, and is not taken for a credential", async () => {
    const token = "base64url.bearer.authorization.k8s.io.Y2FuYXJ5";
    const only = scene.dial({ lines: [`Sec-WebSocket-Protocol: ${token}, v5.channel.k8s.io`] });
    await only.closed;
    expect(only.received()).toMatch(/^HTTP\/1\.1 401 [\s\S]*a token in Sec-WebSocket-Protocol is not taken/);
    scene.dial({ lines: [PAT_LINE, `Sec-WebSocket-Protocol: ${token}, v5.channel.k8s.io`, "Sec-WebSocket-Protocol: gitlab-agent-id.7"] });
    await scene.requested();
    expect(scene.proxy.requestHead().header).toMatchObject({ "Sec-WebSocket-Protocol": { value: ["v5.channel.k8s.io"] } });
    expect(JSON.stringify(scene.proxy.requestHead())).not.toContain("Y2FuYXJ5");
  });

  test("T6: an upgrade claims no identity where kas says who it is", async () => {
    const { received, closed } = scene.dial({ lines: [PAT_LINE, "Impersonate-User: admin"] });
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    expect(scene.proxy.router.calls).toEqual([]);
  });

  test("T23: it ends when the rights behind it are gone, and the record says so", async () => {
    const { closed } = await scene.upgraded();
    scene.proxy.application.answer = () => ({ status: 401, body: {} });
    scene.proxy.clock.advance(30_000);
    await closed;
    expect(scene.proxy.call().cancelled).toBe(true);
    await until(() => scene.records.length === 2);
    expect(scene.records[1]).toMatchObject({ event: "end", outcome: "access_withdrawn" });
  });
});

test("SPDY/3.1 is passed on by POST with its protocol version, and only to the Kubernetes API", async () => {
  const { received } = scene.dial({ method: "POST", upgrade: SPDY, lines: [PAT_LINE, "Content-Length: 0"] });
  await scene.requested();
  expect(scene.proxy.requestHead()).toMatchObject({
    method: "POST",
    header: { Upgrade: { value: ["SPDY/3.1"] }, "x-stream-protocol-version": { value: ["v5.channel.k8s.io"] } },
  });
  scene.answer(head(101, { Upgrade: "SPDY/3.1", "X-Stream-Protocol-Version": "v5.channel.k8s.io" }));
  await until(() => received().includes("\r\n\r\n"));
  expect(received()).toMatch(/x-stream-protocol-version: v5\.channel\.k8s\.io\r\n/);
  const service = scene.dial({ path: SERVICE_PATH, upgrade: SPDY });
  await service.closed;
  expect(service.received()).toMatch(/^HTTP\/1\.1 501 /);
});

test("T1: an upgrade with a body, of another method or to another protocol is an ordinary request", async () => {
  scene.proxy.router.onRequest = (call) => (call.respond(200, { "Content-Type": ["application/json"] }), call.data("{}"), call.finish());
  for (const dialled of [
    { upgrade: ["Upgrade: h2c"] },
    { method: "PUT", more: "" },
    { method: "POST", lines: [PAT_LINE, "Content-Length: 2"], more: "{}" },
    { method: "POST", lines: [PAT_LINE, "Transfer-Encoding: chunked"], more: "0\r\n\r\n" },
  ]) {
    const { socket, received } = scene.dial(dialled);
    await until(() => received().includes("{}"));
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(scene.proxy.requestHead().header).not.toHaveProperty("Upgrade");
    socket.destroy();
  }
});
