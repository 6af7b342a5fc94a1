import { once } from "node:events";
import { constants, type OutgoingHttpHeaders } from "node:http2";

import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { answerOn, ask, CALL, endOf, Http2World, openStream } from "./testing/http2-world.ts";

const SIGN_IN = { ":method": "POST", ":path": "/api/session/token" };

let world: Http2World;

beforeEach(async () => {
  world = await Http2World.open();
});

afterEach(async () => {
  await world.close();
});

describe("XS7: headers of security over HTTP/2", () => {
  test.each<[string, OutgoingHttpHeaders, number]>([
    ["a page", { ":path": "/sign-in" }, 200],
    ["a static file", { ":path": "/_next/static/x.js" }, 200],
    ["a call", { ":path": `${CALL}/GetResource`, ":method": "POST" }, 415],
    ["an unknown call", { ":path": `${CALL}/Nothing`, ":method": "POST" }, 404],
    ["a redirect to the sign-in", { ":path": "/p/a/environments", accept: "text/html" }, 302],
    ["the session", { ":path": "/api/session" }, 200],
    ["a probe", { ":path": "/healthz" }, 200],
    ["an unknown method", { ":path": "/", ":method": "TRACE" }, 405],
    ["a body that is too large", { ":path": "/api/session/token", ":method": "POST", "content-length": "450000000" }, 413],
    ["a page with a body", { ":path": "/", "content-length": "1" }, 413],
    ["an unknown expectation", { ":path": "/", expect: "miracles" }, 200],
    ["two hosts", { ":path": "/", ":authority": "app.localhost:3000", host: "evil.example" }, 400],
    ["another site as target", { ":path": "*", ":method": "OPTIONS" }, 400],
  ])("XS7: %s", async (_what, headers, status) => {
    const session = world.dial();
    const stream = session.request(headers, { endStream: headers["content-length"] === undefined });
    const answer = await answerOn(stream);
    expect(answer.headers[":status"]).toBe(status);
    expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'self'; .*; frame-ancestors 'none'$/);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["referrer-policy"]).toBe("no-referrer");
    expect(answer.headers["strict-transport-security"]).toBe("max-age=63072000");
    // Whatever was wrong with it, the others of the connection go on.
    expect((await ask(session, { ":path": "/healthz" })).text).toBe("ok\n");
    expect(world.failures).toEqual([]);
    expect(world.warnings).toEqual([]);
  });

  test("XM11: CONNECT is 405 over both protocols, with these headers, and reaches no handler", async () => {
    const { headers } = await ask(world.dial(), { ":method": "CONNECT", ":authority": "evil.example:443" });
    expect(headers[":status"]).toBe(405);
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(await world.answerToRaw("CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 405 .*content-security-policy/s,
    );
    expect(world.pageRequests).toEqual([]);
  });

  test("an upgrade over TLS is rejected with 501 and reaches no handler", async () => {
    const answer = await world.answerToRaw("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 501 Not Implemented\r\n.*content-security-policy.*The dashboard speaks only HTTP\./s);
    expect(world.pageRequests).toEqual([]);
    expect(world.refused).toEqual(["upgrade"]);
  });
});

describe("XS5: bodies over HTTP/2", () => {
  test("XS5: one that does not say how much it brings is cut at the byte that is too many, and its stream ends", async () => {
    const session = world.dial();
    const stream = session.request({ ":method": "POST", ":path": "/api/session/token" }, { endStream: false });
    const answered = answerOn(stream);
    stream.write("x".repeat(12_289));
    const { headers, text } = await answered;
    expect([headers[":status"], text]).toEqual([413, expect.stringContaining("A sign-in has at most 12 KiB.")]);
    expect(world.bodies).toEqual([]);
    expect((await ask(session, { ":path": "/healthz" })).text).toBe("ok\n");
  });

  test("XS5: a call of more than 64 KiB is world.refused, and its stream ends with the answer", async () => {
    const session = world.dial();
    const headers = { ":method": "POST", ":path": `${CALL}/GetResource`, "content-type": "application/proto" };
    const stream = session.request(headers, { endStream: false });
    const answered = answerOn(stream);
    stream.write("x".repeat(70_000));
    const { headers: answer, text } = await answered;
    expect([answer[":status"], text]).toEqual([429, expect.stringContaining("resource_exhausted")]);
    expect((await ask(session, { ":path": "/healthz" })).text).toBe("ok\n");
    expect(world.failures).toEqual([]);
  });

  test("XS5: a client that leaves in the middle of its sign-in is no failure of ours", async () => {
    const session = world.dial();
    const stream = session.request({ ":method": "POST", ":path": "/api/session/token" }, { endStream: false });
    stream.on("error", () => undefined).write("{");
    await ask(session, { ":path": "/healthz" });
    stream.destroy();
    await until(() => world.outcomes.length === 2);
    expect([world.outcomes[1], world.bodies, world.failures]).toEqual(["session aborted", [], []]);
  });
});

describe("XM12, T13: clients that hold or flood", () => {
  test.each([
    ["says nothing", () => world.dial()],
    [
      "stops in the middle of a header",
      () => {
        const socket = world.dialRaw("h2");
        // The preface, empty SETTINGS, and HEADERS that announce a continuation which never comes.
        socket
          .on("error", () => undefined)
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0\0\0\u0001\u0001\0\0\0\0\u0001\u0082", "latin1");
        return socket.resume();
      },
    ],
  ])("XM12: a connection that %s is cut after ten seconds", async (_what, begin) => {
    const client = begin();
    const closed = new Promise((resolve) => client.once("close", resolve));
    await until(() => world.clock.pending > 0);
    world.clock.advance(9_999);
    expect(await world.openSockets()).toBe(1);
    world.clock.advance(1);
    await closed;
    await expect.poll(() => world.openSockets()).toBe(0);
  });

  test("XM12: one that carries nothing any more goes after a minute, one with a stream stays", async () => {
    const [idle, busy] = [world.dial(), world.dial()];
    await ask(idle, { ":path": "/healthz" });
    const stream = openStream(busy);
    await once(stream, "data");
    await until(() => world.outcomes.length === 1);
    const ended = endOf(idle);
    world.clock.advance(60_000);
    await ended;
    expect((await ask(busy, { ":path": "/healthz" })).text).toBe("ok\n");
  });

  test("XM12: a request that is not whole after half a minute is cut, and its connection goes on", async () => {
    const session = world.dial();
    const stream = session.request({ ":method": "POST", ":path": "/api/session/token" }, { endStream: false });
    const closed = new Promise((resolve) => stream.on("error", () => undefined).once("close", resolve));
    stream.write("{");
    await ask(session, { ":path": "/healthz" });
    world.clock.advance(30_000);
    await closed;
    expect((await ask(session, { ":path": "/healthz" })).text).toBe("ok\n");
    expect(world.failures).toEqual([]);
  });

  test("T13: a client that opens and resets streams without end is disconnected, others go on", async () => {
    const [flood, other] = [world.dial(), world.dial()];
    await ask(other, { ":path": "/healthz" });
    const ended = endOf(flood);
    while (!flood.destroyed) {
      const streams = Array.from({ length: 100 }, () => flood.request(SIGN_IN, { endStream: false }).on("error", () => undefined));
      await new Promise((resolve) => flood.ping(resolve));
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
      await new Promise((resolve) => (flood.destroyed ? resolve(undefined) : flood.ping(resolve)));
    }
    await ended;
    expect((await ask(other, { ":path": "/healthz" })).text).toBe("ok\n");
  });

  test("T13: a connection has at most 128 streams at once, and a header at most 16 KiB", async () => {
    const session = world.dial();
    const [settings] = (await once(session, "remoteSettings")) as [{ maxConcurrentStreams: number; maxHeaderListSize: number }];
    expect(settings).toMatchObject({ maxConcurrentStreams: 128, maxHeaderListSize: 16_384, enablePush: false });
    const outcome = await ask(session, { ":path": "/sign-in", x: "x".repeat(20_000) }).then(
      ({ headers }) => headers[":status"],
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(outcome).not.toBe(200);
    expect(world.pageRequests).toEqual([]);
  });
});

test("XM12: https is bounded for clients of HTTP/1.1 as plain HTTP is", () => {
  expect(
    ["headersTimeout", "requestTimeout", "connectionsCheckingInterval"].map((name) => Number(Reflect.get(world.server, name))),
  ).toEqual([10_000, 30_000, 1_000]);
});

test("XM11: over HTTP/1.1 and TLS a request without a host, or with two, is a bad request", async () => {
  for (const hosts of ["", "Host: a\r\nHost: b\r\n"]) {
    expect(await world.answerToRaw(`GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(world.pageRequests).toEqual([]);
});
