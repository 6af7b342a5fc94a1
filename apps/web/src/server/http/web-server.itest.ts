import { connect, type Socket } from "node:net";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { RecordingWebServer, type RecordingOptions } from "./testing/recording-web-server.ts";

let web: RecordingWebServer;
let port: number;
let pageRequests: RecordingWebServer["pageRequests"];
let calls: RecordingWebServer["calls"];
let sessions: RecordingWebServer["sessions"];
let refused: RecordingWebServer["refused"];
let outcomes: RecordingWebServer["outcomes"];

beforeEach(() => start());
afterEach(() => web.stop());

async function start(options?: RecordingOptions): Promise<void> {
  web = await RecordingWebServer.start(options);
  ({ port, pageRequests, calls, sessions, refused, outcomes } = web);
}

/** A connection on which a test writes what no client library would. */
function dial(): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

/** What the server answers until it closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const socket = dial();
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

function lines(...of: string[]): string {
  return `${of.join("\r\n")}\r\n\r\n`;
}

const HOST = "Host: app.localhost:3000";
const CLOSE = "Connection: close";

describe("XS7, T10, T7: every answer has the headers of security", () => {
  test.each([
    ["a page", lines("GET /sign-in HTTP/1.1", HOST, CLOSE)],
    ["a static file", lines("GET /_next/static/x.js HTTP/1.1", HOST, CLOSE)],
    ["a call", lines("POST /api/rpc/v1.Service/Call HTTP/1.1", HOST, CLOSE)],
    ["a redirect to the sign-in", lines("GET /p/a/environments HTTP/1.1", HOST, "Accept: text/html", CLOSE)],
    ["the session", lines("GET /api/session HTTP/1.1", HOST, CLOSE)],
    ["a probe", lines("GET /healthz HTTP/1.1", HOST, CLOSE)],
    ["an unknown method", lines("TRACE / HTTP/1.1", HOST, CLOSE)],
    ["a body that is too large", lines("POST /api/session/token HTTP/1.1", HOST, "Content-Length: 450000000")],
    ["a request without a host", lines("GET / HTTP/1.1", CLOSE)],
    ["an upgrade", lines("GET / HTTP/1.1", HOST, "Connection: upgrade", "Upgrade: websocket") + lines("GET / HTTP/1.1", HOST, CLOSE)],
    ["an unknown expectation", lines("GET / HTTP/1.1", HOST, "Expect: miracles", CLOSE)],
    ["what is no HTTP", lines("HELLO")],
    ["a header that is too large", lines("GET / HTTP/1.1", HOST, `X: ${"x".repeat(20_000)}`)],
  ])("XS7: %s", async (_what, bytes) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(answer).toMatch(/\r\ncontent-security-policy: default-src 'self'; .*; frame-ancestors 'none'\r\n/i);
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
    expect(answer).toMatch(/\r\nreferrer-policy: no-referrer\r\n/i);
  });

  test("XS7: a page that fails has them too", async () => {
    web.handle = () => Promise.reject(new Error("broken"));
    const answer = await fetch(`http://127.0.0.1:${port}/sign-in`);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("XS7: Next receives the nonce of this answer, and no other that a client made up", async () => {
    const made = { "content-security-policy": "script-src 'nonce-evil'", "content-security-policy-report-only": "script-src 'nonce-evil'" };
    const answer = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers: made });
    expect(pageRequests[0]?.headers["content-security-policy"]).toBe(answer.headers.get("content-security-policy"));
    expect(pageRequests[0]?.headers).not.toHaveProperty("content-security-policy-report-only");
    expect(JSON.stringify(pageRequests)).not.toContain("evil");
  });
});

test("W3, T24: pages receive the name of their session from the server, whatever name a client makes up", async () => {
  for (const cookie of [undefined, "a=1"]) {
    const headers = { "x-binnacle-session": "another user's", ...(cookie === undefined ? {} : { cookie }) };
    await fetch(`http://127.0.0.1:${port}/sign-in`, { headers });
  }
  expect(pageRequests.map(({ headers }) => headers["x-binnacle-session"])).toEqual(["", "session"]);
});

describe("XS5, T14: bodies", () => {
  test("XS5: a sign-in that announces more than 12 KiB is refused before a byte of it is read", async () => {
    const answer = await answerTo(lines("POST /api/session/token HTTP/1.1", HOST, "Content-Length: 12289"));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sessions).toEqual([]);
    expect(refused).toEqual(["body"]);
  });

  test("XS5: a body without a length is cut at the first byte over the limit, before the session is read", async () => {
    const chunk = `${(1_024).toString(16)}\r\n${"x".repeat(1_024)}\r\n`;
    const head = lines("POST /api/session/token HTTP/1.1", HOST, "Transfer-Encoding: chunked");
    const answer = await answerTo(`${head}${chunk.repeat(12)}1\r\nx\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sessions).toEqual([]);
  });

  test("XS5: three at once that never end hold nothing: each is cut on its own, and a sign-in beside them is answered", async () => {
    const head = lines("POST /api/session/token HTTP/1.1", HOST, "Transfer-Encoding: chunked");
    const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
    const closed = Array.from({ length: 3 }, () => {
      const socket = dial();
      const feed = (): void => {
        while (socket.writable && socket.write(chunk));
      };
      socket.on("drain", feed).write(head);
      feed();
      socket.resume();
      return closeOf(socket);
    });
    const good = await fetch(`http://127.0.0.1:${port}/api/session/token`, { method: "POST", body: "{}" });
    expect(await good.text()).toBe("answered");
    await Promise.all(closed);
    expect(sessions).toHaveLength(1);
  });

  test("XS5: 12 KiB are taken whole", async () => {
    const body = "x".repeat(12_288);
    const answer = await fetch(`http://127.0.0.1:${port}/api/session/token`, { method: "POST", body });
    expect(answer.headers.get("set-cookie")).toBe("a=1");
    expect(sessions[0]).toMatchObject({ method: "POST", body });
  });

  test.each(["/", "/sign-in", "/p/a/environments", "/_next/static/x.js", "/healthz", "/_next/image"])(
    "XS5: %s takes no body at all",
    async (path) => {
      for (const header of ["Content-Length: 1", "Transfer-Encoding: chunked"])
        expect(await answerTo(lines(`GET ${path} HTTP/1.1`, HOST, header))).toMatch(/^HTTP\/1\.1 413 /);
      expect(pageRequests).toEqual([]);
    },
  );

  test("XS5: what is sent along with a question is read and forgotten", async () => {
    const answer = await answerTo(`${lines("GET /api/session HTTP/1.1", HOST, CLOSE, "Content-Length: 2")}{}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(sessions).toMatchObject([{ method: "GET", body: "" }]);
  });

  test.each(["/api/rpc/../p/a/environments", "/api/rpc/%2e%2e/x", "/api/rpc/", "/api/rpc/..%2f/x", "/api/sessions"])(
    "XS5: %s is no call, so nothing may be sent to it",
    async (path) => {
      expect(await answerTo(lines(`POST ${path} HTTP/1.1`, HOST, "Transfer-Encoding: chunked"))).toMatch(/^HTTP\/1\.1 405 /);
      expect(pageRequests).toEqual([]);
    },
  );

  test("XS5: a client that leaves in the middle of its sign-in leaves nothing behind", async () => {
    const socket = dial();
    socket.end(`${lines("POST /api/session/token HTTP/1.1", HOST, "Content-Length: 10")}{`);
    socket.resume();
    await closeOf(socket);
    expect(sessions).toEqual([]);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});

describe("XM11: odd requests", () => {
  test("XM11: an address that is no UTF-8 leads to the page for unknown addresses", async () => {
    for (const path of ["/p/%ff", "/p/%", "/%c3%28"]) await answerTo(lines(`GET ${path} HTTP/1.1`, HOST, CLOSE, "Accept: text/html"));
    expect(pageRequests.map(({ url }) => url)).toEqual(["/_not-found", "/_not-found", "/_not-found"]);
  });

  test.each(["TRACE", "PUT", "OPTIONS", "PROPFIND"])("XM11: %s is answered with 405 and what would be allowed", async (method) => {
    for (const path of ["/", "/api/rpc/v1.Service/Call", "/api/session", "/healthz"]) {
      const answer = await answerTo(lines(`${method} ${path} HTTP/1.1`, HOST, CLOSE));
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(/\r\nallow: [A-Z, ]+\r\n/i);
    }
    expect(pageRequests).toEqual([]);
  });

  test.each([
    ["another site as target", lines("GET http://evil.example/ HTTP/1.1", HOST)],
    ["two hosts", lines("GET / HTTP/1.1", HOST, "Host: evil.example")],
    ["no host", lines("GET / HTTP/1.1", CLOSE)],
  ])("XM11, T12: %s is a bad request", async (_what, bytes) => {
    expect(await answerTo(bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect(pageRequests).toEqual([]);
  });
});

describe("T1: upgrades", () => {
  const wanted = (protocol: string): string => lines("GET /p/a HTTP/1.1", HOST, "Connection: Upgrade", `Upgrade: ${protocol}`);

  test.each(["websocket", "WebSocket", "h2c, websocket", "tcp"])(
    "T1: an upgrade to %s is rejected with a message, and reaches no handler",
    async (protocol) => {
      const answer = await answerTo(wanted(protocol) + lines("GET /sign-in HTTP/1.1", HOST));
      expect(answer).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n.*\r\nconnection: close\r\n.*"The dashboard speaks only HTTP\."\}$/s);
      expect([pageRequests, sessions, calls]).toEqual([[], [], []]);
      expect(refused).toEqual(["upgrade"]);
    },
  );

  test("T1: an offer of HTTP/2 is passed over: what bears it is a request like any other", async () => {
    expect(await answerTo(lines("GET /sign-in HTTP/1.1", HOST, "Upgrade: h2c", "Connection: Upgrade, close"))).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("T1: the handler of upgrades gets the raw connection, and the bytes that were sent with it", async () => {
    await web.stop();
    await start({
      upgrade: (request, { socket, head }) => socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\n${request.url} ${String(head)}`),
    });
    expect(await answerTo(`${wanted("websocket")}first words`)).toBe("HTTP/1.1 101 Switching Protocols\r\n\r\n/p/a first words");
    expect([pageRequests, refused]).toEqual([[], []]);
  });

  test.each(["GET /p/a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket", "CONNECT evil.example:443 HTTP/1.1"])(
    "T1, T12: nothing is written into an answer that runs: %j behind it ends the connection",
    async (second) => {
      web.handle = async (_request, response) => void response.writeHead(200, { "content-length": "10" }).write("begun");
      const answer = await answerTo(lines("GET /sign-in HTTP/1.1", HOST) + lines(second, HOST));
      expect(answer).not.toMatch(/501|405/);
      expect(refused).toEqual([]);
    },
  );

  test("T1: a hundred refused upgrades whose clients never close their half keep no socket", async () => {
    const sockets = Array.from({ length: 100 }, () =>
      connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => undefined),
    );
    const ends = sockets.map((socket) => new Promise((resolve) => socket.resume().once("end", resolve)));
    for (const socket of sockets) socket.write(wanted("websocket"));
    await Promise.all(ends);
    await expect.poll(() => new Promise((resolve) => web.server.getConnections((_error, count) => resolve(count)))).toBe(0);
    for (const socket of sockets) socket.destroy();
  });
});

test("W15, T29: of what Next answers only files of the build may be compressed, and no answer about sessions is", async () => {
  const headers = { "accept-encoding": "gzip, br" };
  for (const path of ["/sign-in", "/_next/static/x.js", "/_next/image"]) await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  expect(pageRequests.map((request) => request.headers["accept-encoding"])).toEqual([undefined, "gzip, br", undefined]);
  const answer = await fetch(`http://127.0.0.1:${port}/api/session`, { headers });
  expect(answer.headers.get("content-encoding")).toBeNull();
});

describe("XM12: slow clients", () => {
  test("XM12: a client that sends nothing, or only half a header, is disconnected within twelve seconds", async () => {
    const look: unknown = Reflect.get(web.server, "connectionsCheckingInterval");
    expect(Number(Reflect.get(web.server, "headersTimeout")) + Number(look)).toBeLessThanOrEqual(12_000);
    // They end by themselves: the test waits for the cut.
    const answers = await Promise.all(["", "GET / HTTP/1.1\r\nHost: app"].map(answerTo));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("XM12: a client that never closes its half of a refused connection keeps no socket", async () => {
    const refusals = [
      "HELLO\r\n\r\n",
      lines("TRACE / HTTP/1.1", HOST),
      lines("POST /api/session/token HTTP/1.1", HOST, "Content-Length: 12289"),
    ];
    const sockets = refusals.map(() => connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => undefined));
    await Promise.all(
      sockets.map((socket, index) => {
        socket.write(refusals[index] ?? "");
        return new Promise((resolve) => socket.resume().once("end", resolve));
      }),
    );
    await expect.poll(() => new Promise((resolve) => web.server.getConnections((_error, count) => resolve(count)))).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  test("XM12: a whole request must be there in half a minute", () => {
    expect(Reflect.get(web.server, "requestTimeout")).toBe(30_000);
  });
});

describe("W16: what an operator needs", () => {
  test("W16: the probes say yes or no and nothing else", async () => {
    const probe = async (path: string): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return `${answer.status} ${await answer.text()}`;
    };
    expect([await probe("/healthz"), await probe("/readyz")]).toEqual(["200 ok\n", "200 ok\n"]);
    web.ready = false;
    expect([await probe("/healthz"), await probe("/readyz")]).toEqual(["200 ok\n", "503 not ready\n"]);
  });

  test("W16: requests are counted by the part of the server and how they ended", async () => {
    await fetch(`http://127.0.0.1:${port}/healthz`);
    await fetch(`http://127.0.0.1:${port}/p/a/environments`, { headers: { accept: "text/html" }, redirect: "manual" });
    await fetch(`http://127.0.0.1:${port}/api/rpc/v1.Service/Call`, { method: "POST" });
    await fetch(`http://127.0.0.1:${port}/api/session`, { method: "PUT" });
    web.handle = () => Promise.reject(new Error("broken"));
    await fetch(`http://127.0.0.1:${port}/sign-in`);
    web.handle = async (_request, response) => void response.writeHead(200).write("begun");
    const leaving = dial();
    leaving.write(lines("GET /sign-in HTTP/1.1", HOST));
    await new Promise((resolve) => leaving.once("data", resolve));
    leaving.destroy();
    await expect.poll(() => outcomes).toEqual(["liveness 2xx", "page 3xx", "rpc 2xx", "session 4xx", "page 5xx", "page aborted"]);
  });

  test("W16: the client's address is the peer's, whatever the client claims", async () => {
    const headers = { "x-forwarded-for": "6.6.6.6" };
    await fetch(`http://127.0.0.1:${port}/api/session`, { headers });
    await fetch(`http://127.0.0.1:${port}/api/rpc/v1.Service/Call`, { method: "POST", headers });
    expect(sessions[0]?.clientAddress).toBe("127.0.0.1");
    expect(calls).toEqual([{ path: "/api/rpc/v1.Service/Call", clientAddress: "127.0.0.1" }]);
    expect(pageRequests).toEqual([]);
  });

  test("W16: behind a trusted proxy it is the one that the proxy names", async () => {
    await web.stop();
    await start({ trustedProxies: ["127.0.0.0/8"] });
    await fetch(`http://127.0.0.1:${port}/api/session`, { headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.9" } });
    expect(sessions[0]?.clientAddress).toBe("203.0.113.9");
  });
});

test("a path whose escapes are no UTF-8 is nowhere before a page begins; whether a group or a project is there its page knows", async () => {
  for (const path of ["/p/%ff", "/p/x", "/p/a/environments/"]) await fetch(`http://127.0.0.1:${port}${path}`);
  expect(pageRequests.map(({ url }) => url)).toEqual(["/_not-found", "/p/x", "/p/a/environments/"]);
});

test("answers to a page's calls name the build, so that a page of another one learns of it", async () => {
  const answers = [
    await fetch(`http://127.0.0.1:${port}/api/session`),
    await fetch(`http://127.0.0.1:${port}/api/rpc/v1.Service/Call`, { method: "POST" }),
  ];
  expect(answers.map(({ headers }) => headers.get("x-binnacle-build"))).toEqual(["this-build", "this-build"]);
});
