import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { randomBytes } from "node:crypto";

import {
  Dashboard,
  GetResourceResponseSchema,
  WatchEnvironmentsResponseSchema,
  type WatchEnvironmentsResponse,
} from "@binnacle/proto/dashboard";
import { until } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import { Code, createClient, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { createCallMetrics, countCalls } from "../../metrics/call-metrics.ts";
import { createConnectHandler } from "../../wire/connect-handler.ts";

const gzips: { closed: boolean }[] = [];
vi.mock(import("../../wire/flushed-deflate.ts"), async (original) => {
  const { FlushedDeflate } = await original();
  return {
    FlushedDeflate: class extends FlushedDeflate {
      closed = false;

      constructor() {
        super();
        gzips.push(this);
      }

      override close(): void {
        super.close();
        this.closed = true;
      }
    },
  };
});

const PATH = "/api/rpc/dashboard.v1.Dashboard/WatchEnvironments";
/** An empty request in an envelope of Connect. */
const EMPTY = Buffer.alloc(5);

let server: Server;
let port: number;
let registry: Registry;
let failures: unknown[];
let watch: (call: HandlerContext) => AsyncIterable<WatchEnvironmentsResponse>;

beforeEach(async () => {
  gzips.length = 0;
  failures = [];
  registry = new Registry();
  const metrics = createCallMetrics(registry);
  const routes = (router: ConnectRouter): void =>
    void router.service(Dashboard, {
      watchEnvironments: (_request, call) => watch(call),
      getResource: () => create(GetResourceResponseSchema, { yaml: "a: b\n".repeat(1_000) }),
    });
  const handle = createConnectHandler({
    routes,
    prefix: "/api/rpc",
    authority: "app.localhost:3000",
    interceptors: [countCalls(metrics)],
    counted: metrics.streamBytes,
  });
  server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      failures.push(error);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function named(removed: string): WatchEnvironmentsResponse {
  return create(WatchEnvironmentsResponseSchema, { removed: [removed] });
}

function browser() {
  return createClient(Dashboard, createConnectTransport({ baseUrl: `http://127.0.0.1:${port}/api/rpc`, useBinaryFormat: true }));
}

/** The head of an answer to an empty call. */
async function headOf(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest({ port, host: "127.0.0.1", path, method: "POST", headers, agent: false });
  request.on("error", () => undefined).end(headers["content-type"]?.includes("connect") === true ? EMPTY : undefined);
  // Node gives the answer as the event's only argument.
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
}

async function metric(line: string): Promise<number> {
  const found = (await registry.metrics()).split("\n").find((text) => text.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
}

const STREAM = { "content-type": "application/connect+proto", "connect-protocol-version": "1", "accept-encoding": "gzip, br" };

/** Never ends, and sends what no compression makes smaller. */
function endless(pulled: { count: number; ended: boolean }): typeof watch {
  return async function* () {
    try {
      for (;;) {
        pulled.count += 1;
        yield named(randomBytes(96 * 1024).toString("base64"));
      }
    } finally {
      pulled.ended = true;
    }
  };
}

/** A client that asks for a stream and reads nothing of it. */
function stalledReader() {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  const headers = Object.entries({ ...STREAM, host: "x", "content-length": String(EMPTY.length) });
  socket.write(`POST ${PATH} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  socket.write(EMPTY);
  return socket.pause();
}

/** Asks something else until nothing more was pulled in the meantime for a while. */
async function standstill(pulled: { count: number }): Promise<void> {
  let same = 0;
  for (let before = -1; same < 25; same = before === pulled.count ? same + 1 : 0) {
    before = pulled.count;
    await browser().getResource({});
  }
}

describe("streams", () => {
  test.each([
    ["compressed", "gzip, deflate, br"],
    ["as it is, for whom does not take gzip", "identity"],
  ])(
    "W15: a stream is sent %s, and each message arrives when it was sent: the next is made only after it was read",
    async (_how, accepted) => {
      let read: (() => void) | undefined;
      watch = async function* () {
        for (let index = 0; index < 50; index += 1) {
          const wasRead = new Promise<void>((resolve) => (read = resolve));
          yield named(`message ${index}`);
          await wasRead;
        }
      };
      const encodings: (string | null)[] = [];
      const transport = createConnectTransport({
        baseUrl: `http://127.0.0.1:${port}/api/rpc`,
        useBinaryFormat: true,
        fetch: async (input, init) => {
          const headers = new Headers(init?.headers);
          headers.set("accept-encoding", accepted);
          const answer = await fetch(input, { ...init, headers });
          encodings.push(answer.headers.get("content-encoding"));
          return answer;
        },
      });
      const seen: string[] = [];
      for await (const { removed } of createClient(Dashboard, transport).watchEnvironments({})) {
        seen.push(...removed);
        read?.();
      }
      expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => `message ${index}`));
      expect(encodings).toEqual([accepted === "identity" ? null : "gzip"]);
    },
  );

  test("W15: what repeats itself is sent as a fraction of it, and both are counted", async () => {
    watch = async function* () {
      for (let index = 0; index < 100; index += 1) yield named("the same words again and again ".repeat(100));
    };
    for await (const _message of browser().watchEnvironments({}));
    await until(() => gzips.every((gzip) => gzip.closed));
    const plain = await metric('web_stream_bytes_total{stage="message"}');
    const sent = await metric('web_stream_bytes_total{stage="sent"}');
    expect(plain).toBeGreaterThan(300_000);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(plain / 30);
  });

  test("W15: a reader that stalls is not produced for, and one who leaves then ends it all", async () => {
    const pulled = { count: 0, ended: false };
    watch = endless(pulled);
    const socket = stalledReader();
    await standstill(pulled);
    // Sockets and windows between us hold a few messages, not a queue of them.
    expect(pulled.count).toBeLessThan(200);
    expect(await metric('web_streams_open{method="WatchEnvironments"}')).toBe(1);
    socket.destroy();
    await until(() => pulled.ended && gzips.every((gzip) => gzip.closed));
    await expect.poll(() => metric('web_streams_open{method="WatchEnvironments"}')).toBe(0);
    expect(failures).toEqual([]);
  });

  test("W15: a client that leaves a quiet stream aborts its call at once", async () => {
    let signal: AbortSignal | undefined;
    watch = async function* (call) {
      ({ signal } = call);
      yield named("only this");
      // Who leaves at once may be gone before this is reached.
      if (!call.signal.aborted) await new Promise((resolve) => call.signal.addEventListener("abort", resolve, { once: true }));
    };
    const leave = new AbortController();
    const reading = (async () => {
      for await (const _message of browser().watchEnvironments({}, { signal: leave.signal })) leave.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: Code.Canceled });
    await until(() => signal?.aborted === true && gzips.every((gzip) => gzip.closed));
    await expect.poll(() => metric('web_calls_total{method="WatchEnvironments",code="canceled"}')).toBe(1);
    expect(failures).toEqual([]);
  });

  test("W15: a hundred streams that end in every way leave no compressor behind", async () => {
    const pulled = { count: 0, ended: false };
    watch = (call) => (gzips.length % 2 === 0 ? endless(pulled)(call) : brokenStream());
    const sockets = Array.from({ length: 100 }, stalledReader);
    await until(() => gzips.length === 100);
    for (const socket of sockets) socket.destroy();
    await until(() => gzips.every((gzip) => gzip.closed));
    await expect.poll(() => metric('web_streams_open{method="WatchEnvironments"}')).toBe(0);
  });

  test("a stream that fails tells its code and nothing else, and is counted by it", async () => {
    watch = brokenStream;
    const reading = (async () => {
      for await (const _message of browser().watchEnvironments({}));
    })();
    await expect(reading).rejects.toThrow(/internal error/);
    await expect.poll(() => metric('web_calls_total{method="WatchEnvironments",code="unknown"}')).toBe(1);
  });
});

async function* brokenStream(): AsyncGenerator<WatchEnvironmentsResponse> {
  yield named("before");
  throw new Error("secret words");
}

describe("T29: what is not compressed", () => {
  test("T29: the answer of a single call, whatever the browser takes", async () => {
    const answer = await headOf("/api/rpc/dashboard.v1.Dashboard/GetResource", {
      "content-type": "application/proto",
      "connect-protocol-version": "1",
      "accept-encoding": "gzip, br",
    });
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty("content-encoding");
  });
});

describe("XM11: odd calls", () => {
  test.each(["[", "a b", "evil.example/../..", "x:99999999"])(
    "XM11: a host of %j builds no address, and the call is answered",
    async (host) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(
        `POST /api/rpc/dashboard.v1.Dashboard/GetResource HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-type: application/proto\r\ncontent-length: 0\r\n\r\n`,
      );
      let text = "";
      for await (const chunk of socket) text += String(chunk);
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
      expect(failures).toEqual([]);
    },
  );

  test("XM11: an unknown procedure is 404", async () => {
    const answer = await headOf("/api/rpc/dashboard.v1.Dashboard/Nothing", STREAM);
    answer.resume();
    expect(answer.statusCode).toBe(404);
  });
});
