import { once } from "node:events";
import type { ServerResponse } from "node:http";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { plainAccess } from "../cluster-access/testing/plain-access.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import { endBody, exchange, nextResponse, readResponse, sendBody, startRequest } from "../testing/tunnelled-request.ts";

let kas: FakeKas;
let api: ApiStandIn;
let agent: RunningAgent;

beforeEach(async () => {
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  // The version is requested once at the start; it is none of the requests of a test.
  agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, plainAccess(api.url));
  await kas.configuration();
  api.requests.length = 0;
});

afterEach(async () => {
  await kas.close();
  await agent.stop();
  await api.close();
});

describe("a request", () => {
  test("arrives with method, path, sorted query and headers, and the answer comes back whole", async () => {
    api.answer = (_request, response) =>
      void response.writeHead(201, "Made", { "X-Thing": ["1", "2"], Connection: "keep-alive, x-hop", "X-Hop": "gone" }).end("body");
    const answer = await exchange(await kas.tunnel(), {
      method: "POST",
      path: "/api/v1/names with space/%2F?#",
      query: [
        ["z", ["1", "2"]],
        ["a", ["x y&"]],
      ],
      headers: [
        ["Accept-Encoding", ["gzip"]],
        ["User-Agent", ["kubectl/1"]],
        ["X-One", ["1", "2"]],
      ],
    });
    expect(answer).toMatchObject({ statusCode: 201, status: "201 Made", body: "body", end: { code: 0 } });
    expect(answer.headers.get("x-thing")).toEqual(["1", "2"]);
    expect(answer.headers.has("x-hop")).toBe(false);
    expect(answer.headers.has("connection")).toBe(false);
    const seen = api.requests[0];
    expect(seen?.method).toBe("POST");
    expect(seen?.url).toBe("/api/v1/names%20with%20space/%252F%3F%23?a=x+y%26&z=1&z=2");
    expect(seen?.headers).toMatchObject({ "accept-encoding": "gzip", authorization: "Bearer agent-sa", host: api.url.host });
    expect(seen?.headers["user-agent"]).toMatch(/^kubectl\/1 via agentk\/v/);
    expect(api.lastHeader("x-one")).toEqual(["1", "2"]);
  });

  test("never carries credentials and connection headers of the way here (T7)", async () => {
    await exchange(await kas.tunnel(), {
      path: "/x",
      headers: [
        ["Authorization", ["Bearer pat:1:canary"]],
        ["Cookie", ["_gitlab_kas=canary"]],
        ["X-Csrf-Token", ["canary"]],
        ["X_Csrf_Token", ["canary"]],
        ["Gitlab-Agent-Id", ["canary"]],
        ["Proxy-Authorization", ["canary"]],
        ["Transfer-Encoding", ["canary"]],
        ["Connection", ["X-Named"]],
        ["X-Named", ["canary"]],
        ["Host", ["canary"]],
      ],
    });
    expect(JSON.stringify(api.requests[0]?.rawHeaders)).not.toContain("canary");
    expect(api.lastHeader("authorization")).toEqual(["Bearer agent-sa"]);
  });

  test("with a body of 5 MiB arrives whole, and is not read ahead of a slow API server", async () => {
    const release: (() => void)[] = [];
    api.answer = (request, response) => {
      release.push(() => {
        let bytes = 0;
        request.on("data", (chunk: Buffer) => (bytes += chunk.length)).on("end", () => response.end(String(bytes)));
      });
    };
    const arrived = once(api.server, "request");
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { method: "PUT", path: "/big" });
    const piece = Buffer.alloc(32 * 1024, 0x61);
    let room = true;
    for (let count = 0; count < 160; count += 1) room = sendBody(tunnel, piece);
    endBody(tunnel);
    await arrived;
    // The agent's window and the sockets hold less than what was sent: kas must stop.
    expect(room).toBe(false);
    for (const go of release) go();
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 200, body: String(160 * piece.length), end: { code: 0 } });
    expect(api.lastHeader("transfer-encoding")).toEqual(["chunked"]);
  });

  test("with a length that was announced keeps it", async () => {
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { method: "POST", path: "/x", headers: [["Content-Length", ["4"]]] });
    sendBody(tunnel, Buffer.from("four"));
    endBody(tunnel);
    expect(await readResponse(tunnel)).toMatchObject({ statusCode: 200 });
    expect(api.lastHeader("content-length")).toEqual(["4"]);
    expect(api.lastHeader("transfer-encoding")).toEqual([]);
  });

  test("that is answered with a redirect gets the redirect (T2)", async () => {
    api.answer = (_request, response) => void response.writeHead(302, { Location: "http://elsewhere.invalid/" }).end();
    const answer = await exchange(await kas.tunnel(), { path: "/old" });
    expect(answer).toMatchObject({ statusCode: 302, end: { code: 0 } });
    expect(answer.headers.get("location")).toEqual(["http://elsewhere.invalid/"]);
    expect(api.requests).toHaveLength(1);
  });

  test("of HEAD and one with 304 end without a body", async () => {
    api.answer = (request, response) => void response.writeHead(request.method === "HEAD" ? 200 : 304, { "Content-Length": "10" }).end();
    expect(await exchange(await kas.tunnel(), { method: "HEAD", path: "/x" })).toMatchObject({
      statusCode: 200,
      body: "",
      end: { code: 0 },
    });
    expect(await exchange(await kas.tunnel(), { path: "/x" })).toMatchObject({ statusCode: 304, body: "", end: { code: 0 } });
  });

  test("to an API server that is gone fails as unavailable and does not name its address", async () => {
    const { port } = api.url;
    await api.close();
    const answer = await exchange(await kas.tunnel(), { path: "/x" });
    expect(answer).toMatchObject({ statusCode: 0, end: { code: 14 } });
    expect(answer.end.message).toContain("ECONNREFUSED");
    expect(answer.end.message).not.toContain(port);
  });

  test("whose answer breaks off in the middle ends with an error, not with success", async () => {
    api.answer = (_request, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("half", () => response.destroy());
    };
    const answer = await exchange(await kas.tunnel(), { path: "/x" });
    expect(answer).toMatchObject({ statusCode: 200, body: "half" });
    expect(answer.end.code).toBe(14);
  });
});

describe("a watch", () => {
  test("hands over header and events one by one: each is only sent after the one before has arrived", async () => {
    let response: ServerResponse | undefined;
    api.answer = (_request, answer) => {
      response = answer;
      answer.flushHeaders();
    };
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/watch" });
    endBody(tunnel);
    expect(await nextResponse(tunnel)).toMatchObject({ case: "header" });
    for (let count = 0; count < 200; count += 1) {
      response?.write(`event ${count}\n`);
      const message = await nextResponse(tunnel);
      expect("value" in message && message.case === "data" ? Buffer.from(message.value.data).toString() : message).toBe(`event ${count}\n`);
    }
  });

  test("that the caller leaves is broken off at the API server", async () => {
    api.answer = (_request, response) => response.flushHeaders();
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/watch" });
    endBody(tunnel);
    await nextResponse(tunnel);
    const gone = api.connectionClosed();
    tunnel.end({ code: 14, message: "unavailable" });
    await expect(gone).resolves.toBeUndefined();
  });

  test("that is not read stops the API server, and continues when it is read again", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x61);
    let written = 0;
    api.answer = (request, response) => {
      const fill = (): void => {
        while (written < 800) {
          written += 1;
          if (!response.write(chunk)) return void response.once("drain", fill);
        }
        response.end();
      };
      if (request.url === "/list") fill();
      else response.end("ok");
    };
    const tunnel = await kas.tunnel();
    tunnel.pause();
    startRequest(tunnel, { path: "/list" });
    endBody(tunnel);
    // Everything up to here is full once nothing more is written while twenty others are answered.
    const isFull = (before: number): boolean => before > 0 && before === written;
    for (let before = -1; !isFull(before);) {
      before = written;
      for (let count = 0; count < 20; count += 1) await exchange(await kas.tunnel(), { path: "/other" });
    }
    expect(written).toBeLessThan(400);
    tunnel.resume();
    const answer = await readResponse(tunnel);
    expect(answer.body.length).toBe(800 * chunk.length);
    expect(answer.end.code).toBe(0);
  });
});

describe("impersonation", () => {
  const alice = {
    username: "gitlab:user:alice",
    groups: ["gitlab:user", "gitlab:project_role:1:developer"],
    uid: "7",
    extra: [{ $typeName: "gitlab.agent.kubernetes_api.rpc.ExtraKeyVal" as const, key: "agent.gitlab.com/id", val: ["1", "é"] }],
  };

  test("of kas becomes headers, one line per group", async () => {
    await exchange(await kas.tunnel(), { path: "/x", impersonate: alice });
    expect(api.lastHeader("impersonate-user")).toEqual(["gitlab:user:alice"]);
    expect(api.lastHeader("impersonate-group")).toEqual(["gitlab:user", "gitlab:project_role:1:developer"]);
    expect(api.lastHeader("impersonate-uid")).toEqual(["7"]);
    expect(api.lastHeader("impersonate-extra-agent.gitlab.com%2Fid").map((value) => Buffer.from(value, "latin1").toString())).toEqual([
      "1",
      "é",
    ]);
  });

  test("of the client passes when no other source requests one", async () => {
    await exchange(await kas.tunnel(), {
      path: "/x",
      headers: [
        ["impersonate-user", ["bob"]],
        ["Impersonate-Group", ["a", "b"]],
      ],
    });
    expect(api.lastHeader("impersonate-user")).toEqual(["bob"]);
    expect(api.lastHeader("impersonate-group")).toEqual(["a", "b"]);
  });

  test.each([
    "Impersonate-User",
    "impersonate-uid",
    "IMPERSONATE-GROUP",
    "Impersonate_User",
    "Impersonate-Extra-x",
    "Impersonate-Anything",
  ])("of kas refuses a request that brings %s, which never reaches the cluster", async (name) => {
    const answer = await exchange(await kas.tunnel(), {
      path: "/x",
      impersonate: alice,
      headers: [
        [name, ["root"]],
        ["Connection", [name]],
      ],
    });
    expect(answer).toMatchObject({ statusCode: 0, end: { code: 3 } });
    expect(api.requests).toHaveLength(0);
  });

  test("without a user name is refused", async () => {
    expect((await exchange(await kas.tunnel(), { path: "/x", impersonate: { groups: ["system:masters"] } })).end.code).toBe(3);
    expect(api.requests).toHaveLength(0);
  });
});

describe("what makes no sense", () => {
  test.each([["api/v1"], ["http://evil/"], ["//evil/x"], ["/a/../b"], ["/./a"]])("the path %j is refused", async (path) => {
    expect((await exchange(await kas.tunnel(), { path })).end.code).toBe(3);
    expect(api.requests).toHaveLength(0);
  });

  test.each([
    ["/a\\b", "/a%5Cb"],
    ["/a\r\nX: y", "/a%0D%0AX:%20y"],
    ["/a\0?#", "/a%00%3F%23"],
  ])("R3: the path %j reaches the API server as %s", async (path, target) => {
    await exchange(await kas.tunnel(), { path });
    expect(api.requests.map(({ url }) => url)).toEqual([target]);
  });

  test("a path and a query that kas has in encoded form reach the API server byte for byte", async () => {
    const rawTarget = "/api/v1/namespaces/a%2Db/x%2Fy?z=1&a=x%20y&z=~,%7E";
    const query = [["z", ["1", "~,~"]] as const, ["a", ["x y"]] as const];
    await exchange(await kas.tunnel(), { path: "/api/v1/namespaces/a-b/x/y", query, rawTarget });
    expect(api.requests.map(({ url }) => url)).toEqual([rawTarget]);
  });

  test("T3: an encoded form of another path is refused", async () => {
    const sent = exchange(await kas.tunnel(), { path: "/api/v1/pods", rawTarget: "/api/v1/secrets" });
    expect((await sent).end.code).toBe(3);
    expect(api.requests).toHaveLength(0);
  });

  test("a method that the agent does not have is unimplemented", async () => {
    const tunnel = await kas.tunnel();
    tunnel.requestInfo("/x.Y/Z");
    expect((await readResponse(tunnel)).end.code).toBe(12);
  });

  test("a body before the header ends the call and is not sent to the API server", async () => {
    const tunnel = await kas.tunnel();
    tunnel.requestInfo("/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest");
    sendBody(tunnel, Buffer.from("x"));
    expect((await readResponse(tunnel)).end).toMatchObject({
      code: 3,
      message: expect.stringContaining("field 2 is not allowed at the beginning"),
    });
  });

  test("an order violation in a running request breaks it off at the API server", async () => {
    api.answer = (_request, response) => response.flushHeaders();
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/watch" });
    endBody(tunnel);
    await nextResponse(tunnel);
    const gone = api.connectionClosed();
    tunnel.message(new Uint8Array());
    expect((await readResponse(tunnel)).end.code).toBe(3);
    await gone;
  });
});
