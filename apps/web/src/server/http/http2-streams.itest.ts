import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { constants, type IncomingHttpHeaders } from "node:http2";
import { get } from "node:https";

import { Dashboard } from "@binnacle/proto/dashboard";
import { until } from "@binnacle/testing";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { answerOn, ask, CALL, endOf, Http2World, openStream } from "./testing/http2-world.ts";

let world: Http2World;

beforeEach(async () => {
  world = await Http2World.open();
});

afterEach(async () => {
  await world.close();
});

describe("W3: one connection", () => {
  test("W3: twenty streams and a call share one connection over TLS", async () => {
    const transport = createConnectTransport({
      baseUrl: `https://127.0.0.1:${world.port}/api/rpc`,
      httpVersion: "2",
      nodeOptions: { ca: world.agentOptions.ca },
      useBinaryFormat: true,
    });
    const client = createClient(Dashboard, transport);
    const leave = new AbortController();
    const streams = Array.from({ length: 20 }, () => client.watchEnvironments({}, { signal: leave.signal })[Symbol.asyncIterator]());
    const first = await Promise.all(streams.map((stream) => stream.next()));
    expect(first.every(({ done }) => done === false)).toBe(true);
    expect(await client.getResource({})).toMatchObject({ yaml: "a: b\n" });
    expect(world.connections).toBe(1);
    leave.abort();
    await Promise.allSettled(streams.map((stream) => stream.next()));
  });

  test("W3, W15: streams over HTTP/2 are compressed, single calls, sessions and pages are not (T29)", async () => {
    const session = world.dial();
    const stream = openStream(session);
    // The event has the headers first.
    const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
    expect(headers["content-encoding"]).toBe("gzip");
    const [chunk] = (await once(stream, "data")) as [Buffer];
    expect(chunk.length).toBeLessThan(400);
    const all = { "accept-encoding": "gzip, br" };
    const call = await ask(session, { ":method": "POST", ":path": `${CALL}/GetResource`, "content-type": "application/proto", ...all }, "");
    const signedIn = await ask(session, { ":path": "/api/session", ...all });
    await ask(session, { ":path": "/sign-in", ...all });
    expect([call, signedIn].map((answer) => answer.headers["content-encoding"])).toEqual([undefined, undefined]);
    expect(call.text).toContain("a: b");
    expect(world.pageRequests[0]).not.toHaveProperty("accept-encoding");
    await ask(session, { ":path": "/_next/static/chunks/x.js", ...all });
    expect(world.pageRequests[1]).toHaveProperty("accept-encoding", "gzip, br");
    expect(world.connections).toBe(1);
  });

  test("W3: Next sees a request as over HTTP/1.1: a host, and no header that begins with a colon", async () => {
    const { headers, text } = await ask(world.dial(), { ":path": "/sign-in", ":authority": "app.localhost:3000", cookie: "a=1" });
    expect([headers[":status"], text]).toEqual([200, "page"]);
    expect(world.pageRequests[0]).toMatchObject({ host: "app.localhost:3000", cookie: "a=1", "x-forwarded-for": "127.0.0.1" });
    expect(Object.keys(world.pageRequests[0] ?? {}).filter((name) => name.startsWith(":"))).toEqual([]);
    expect(world.failures).toEqual([]);
    expect(world.warnings).toEqual([]);
  });

  test("W3: a client that speaks only HTTP/1.1 is answered over the same port", async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ ...world.agentOptions, port: world.port, path: "/sign-in", agent: false }, resolve).on("error", reject);
    });
    answer.resume();
    expect([answer.httpVersion, answer.statusCode]).toEqual(["1.1", 200]);
  });

  test("W3, W15: a client that closes its stream aborts the call, and the connection goes on", async () => {
    const session = world.dial();
    // The first of a process is slow enough to be distinguished from one that has ended by itself.
    for (let turn = 1; turn <= 20; turn += 1) {
      const stream = openStream(session);
      await once(stream, "data");
      stream.close(constants.NGHTTP2_CANCEL);
      await until(() => world.outcomes.length === turn);
    }
    expect(new Set(world.outcomes)).toEqual(new Set(["rpc aborted"]));
    expect((await ask(session, { ":path": "/healthz" })).text).toBe("ok\n");
    expect(world.failures).toEqual([]);
  });

  test("W15: a stream whose reader stalls is not produced for, while others of its connection go on; who leaves it ends it", async () => {
    world.endless = true;
    const session = world.dial();
    const stream = openStream(session);
    await once(stream, "response");
    let same = 0;
    for (let before = -1; same < 25; same = before === world.pulled ? same + 1 : 0) {
      before = world.pulled;
      await ask(session, { ":path": "/healthz" });
    }
    expect(world.pulled).toBeLessThan(20);
    stream.close(constants.NGHTTP2_CANCEL);
    await until(() => world.pulled === -1);
    expect(world.failures).toEqual([]);
  });

  test("W3: a large answer comes whole to a reader who begins late", async () => {
    world.yaml = "x".repeat(5_000_000);
    const session = world.dial();
    const headers = { ":method": "POST", ":path": `${CALL}/GetResource`, "content-type": "application/proto" };
    const stream = session.request(headers, { endStream: false });
    stream.end("");
    await once(stream, "response");
    // It has what the window lets through, and nothing more comes before it reads.
    for (let turn = 0; turn < 20; turn += 1) await ask(session, { ":path": "/healthz" });
    const { text } = await answerOn(stream);
    expect(text.length).toBeGreaterThan(5_000_000);
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });

  test("W3: a body is read as over HTTP/1.1, and the answer sets its cookie", async () => {
    const answer = await ask(world.dial(), { ":method": "POST", ":path": "/api/session/token" }, "x".repeat(4_096));
    expect(answer.headers["set-cookie"]).toEqual(["a=1"]);
    expect([world.bodies[0]?.length, answer.text]).toEqual([4_096, "hello from 127.0.0.1"]);
  });
});

test("KS3: over HTTP/2 the server takes leave without failing a request: GOAWAY, what runs ends, then the connections", async () => {
  const session = world.dial();
  const stream = openStream(session);
  await once(stream, "data");
  const ended = endOf(session);
  let drained = false;
  const draining = world.exit.drain(new AbortController().signal).then(() => (drained = true));
  await once(session, "goaway");
  expect(drained).toBe(false);
  stream.close();
  await draining;
  expect(await ended).toBe(constants.NGHTTP2_NO_ERROR);
});
