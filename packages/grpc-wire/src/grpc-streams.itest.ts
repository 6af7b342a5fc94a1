import { once } from "node:events";
import {
  createServer,
  type ClientHttp2Session,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";

import { systemClock, type Clock } from "@binnacle/rpc";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { dialHttp2 } from "./dial/dial.ts";
import { GrpcClientStream, type GrpcCallListener } from "./grpc-client-stream.ts";
import { GrpcServerStream, type GrpcRequestListener } from "./grpc-server-stream.ts";
import type { GrpcStatus } from "./grpc-status.ts";
import { keepAlive } from "./keep-alive.ts";
import { NO_METADATA, type Metadata } from "./metadata.ts";
import { serverSessionOptions, STREAM_WINDOW_BYTES, widenSession } from "./session-options.ts";

type Handler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

let server: Http2Server;
let session: ClientHttp2Session;
let handle: Handler;
const serverSessions = new Set<ServerHttp2Session>();

beforeEach(async () => {
  server = createServer(serverSessionOptions());
  server.on("session", (opened) => {
    serverSessions.add(opened);
    widenSession(opened);
    opened.on("close", () => serverSessions.delete(opened));
  });
  server.on("stream", (stream, headers) => handle(stream, headers));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a listening TCP server is an AddressInfo.
  session = await dialHttp2(`grpc://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on("error", () => {});
});

afterEach(async () => {
  session.destroy();
  for (const opened of serverSessions) opened.destroy();
  server.close();
  await once(server, "close");
});

interface Outcome {
  readonly header: Metadata | undefined;
  readonly messages: readonly string[];
  readonly status: GrpcStatus;
  readonly trailer: Metadata;
  readonly isCut: boolean;
}

/** Starts a call and gathers what comes back. */
function call(metadata: Metadata = NO_METADATA): { stream: GrpcClientStream; outcome: Promise<Outcome>; messages: string[] } {
  const messages: string[] = [];
  let header: Metadata | undefined;
  let stream: GrpcClientStream | undefined;
  const outcome = new Promise<Outcome>((resolve) => {
    const listener: GrpcCallListener = {
      header: (received) => (header = received),
      message: (data) => messages.push(Buffer.from(data).toString()),
      end: (status, trailer, isCut) => resolve({ header, messages, status, trailer, isCut }),
    };
    stream = new GrpcClientStream({ session, path: "/x.Y/Z", metadata }, listener);
  });
  if (!stream) throw new Error("a promise runs its body at once");
  return { stream, outcome, messages };
}

function serve(listener: (stream: GrpcServerStream) => GrpcRequestListener): void {
  handle = (stream, headers) => {
    const served: GrpcServerStream = new GrpcServerStream(
      { stream, headers },
      { message: (data) => on.message(data), halfClose: () => on.halfClose?.(), closed: (gone) => on.closed?.(gone) },
    );
    const on = listener(served);
  };
}

describe("a call", () => {
  test("carries metadata, messages, status and trailers both ways", async () => {
    let seen: IncomingHttpHeaders = {};
    handle = (stream, headers) => {
      seen = headers;
      const served = new GrpcServerStream(
        { stream, headers },
        {
          message: (data) => served.write([Buffer.from("echo "), data]),
          halfClose: () => served.end({ code: 5, message: "nö" }, new Map([["x-trailer", ["t"]]])),
        },
      );
      served.sendHeader(new Map([["x-head", ["1", "2"]]]));
    };
    const { stream, outcome } = call(new Map([["x-a", ["b"]]]));
    stream.write([Buffer.from("one")]);
    stream.write([Buffer.from("t"), Buffer.from("wo")]);
    stream.closeSend();
    const result = await outcome;
    expect(result.messages).toEqual(["echo one", "echo two"]);
    expect(result.status).toEqual({ code: 5, message: "nö" });
    expect(result.trailer.get("x-trailer")).toEqual(["t"]);
    expect(result.header?.get("x-head")).toEqual(["1", "2"]);
    expect(seen).toMatchObject({ "x-a": "b", te: "trailers", "content-type": "application/grpc+proto", ":method": "POST" });
  });

  test("may fail before anything was sent, with trailers only", async () => {
    serve((served) => ({ message: () => served.end({ code: 16, message: "who are you" }) }));
    const { stream, outcome } = call();
    stream.write([Buffer.from("x")]);
    expect(await outcome).toMatchObject({ header: undefined, messages: [], status: { code: 16, message: "who are you" } });
  });

  test("may be ended by the server while the client is still sending, and leaves no stream behind", async () => {
    let served: ServerHttp2Stream | undefined;
    handle = (stream, headers) => {
      served = stream;
      const side = new GrpcServerStream({ stream, headers }, { message: () => {} });
      side.write([Buffer.from("first")]);
      side.end({ code: 0, message: "" });
    };
    const { outcome } = call();
    expect(await outcome).toMatchObject({ messages: ["first"], status: { code: 0 } });
    if (served && !served.closed) await once(served, "close");
    expect(served?.closed).toBe(true);
  });

  test("notifies the server when it is cancelled", async () => {
    let opened = (): void => {};
    const started = new Promise<void>((resolve) => (opened = resolve));
    const gone = new Promise<boolean>((resolve) => serve(() => ({ message: () => opened(), closed: resolve })));
    const { stream, outcome } = call();
    stream.write([Buffer.from("x")]);
    await started;
    stream.cancel();
    expect((await outcome).status.code).toBe(1);
    expect(await gone).toBe(true);
  });

  test("a message that cannot be read ends the call, not the server", async () => {
    handle = (stream, headers) => void new GrpcServerStream({ stream, headers, maxMessageBytes: 4 }, { message: () => {} });
    const { stream, outcome } = call();
    stream.write([Buffer.from("too long")]);
    expect((await outcome).status).toMatchObject({ code: 8 });
  });

  test("ends as unavailable when the connection dies", async () => {
    serve(() => ({ message: () => [...serverSessions].forEach((opened) => opened.destroy()) }));
    const { stream, outcome } = call();
    stream.write([Buffer.from("x")]);
    expect([1, 14]).toContain((await outcome).status.code);
  });

  test("on a closed session ends as unavailable instead of throwing", async () => {
    session.destroy();
    expect((await call().outcome).status.code).toBe(14);
  });

  test("an answer that is not gRPC is named by its HTTP status", async () => {
    handle = (stream) => {
      stream.respond({ ":status": 404 });
      stream.end("nothing here");
    };
    expect((await call().outcome).status).toEqual({ code: 12, message: "the server answered HTTP 404 instead of gRPC" });
  });

  test.each([
    ["ends it without a status", (stream) => (stream.respond({ ":status": 200 }), void stream.end()), true],
    ["answers HTTP 504", (stream) => stream.respond({ ":status": 504 }, { endStream: true }), true],
    ["answers HTTP 503", (stream) => stream.respond({ ":status": 503 }, { endStream: true }), false],
    ["resets it with CANCEL", (stream) => (stream.respond({ ":status": 200 }), stream.close(8)), true],
    ["ends it with a status", (stream) => stream.respond({ ":status": 200, "grpc-status": "14" }, { endStream: true }), false],
  ] as const satisfies readonly (readonly [string, (stream: ServerHttp2Stream) => void, boolean])[])(
    "interop-3: a carrier that %s has cut it, a server has not",
    async (_what, answer, isCut) => {
      handle = (stream) => {
        stream.on("error", () => {});
        answer(stream);
      };
      expect((await call().outcome).isCut).toBe(isCut);
    },
  );

  test("ends when the server ends it without a status, although what is still to be sent is not read", async () => {
    let served: ServerHttp2Stream | undefined;
    handle = (stream) => {
      served = stream;
      stream.on("error", () => {});
      stream.pause();
      stream.respond({ ":status": 200, "content-type": "application/grpc+proto" });
      stream.end();
    };
    const { stream, outcome } = call();
    // More than the server's window takes: it waits here.
    expect(stream.write([Buffer.alloc(3 * STREAM_WINDOW_BYTES)])).toBe(false);
    expect((await outcome).status).toEqual({ code: 13, message: "the server ended the call without a status" });
    await expect.poll(() => served?.closed).toBe(true);
  });

  test("a reader that pauses stops the writer, and nothing is lost", async () => {
    const chunk = Buffer.alloc(64 * 1024, 0x61);
    let accepted = 0;
    let full = (): void => {};
    const stopped = new Promise<void>((resolve) => (full = resolve));
    serve((served) => {
      const fill = (): void => {
        while (accepted < 200) {
          accepted += 1;
          if (!served.write([chunk])) return full();
        }
        served.end({ code: 0, message: "" });
      };
      served.onDrain(fill);
      return { message: fill };
    });
    const { stream, outcome, messages } = call();
    stream.write([Buffer.from("go")]);
    stream.pause();
    await stopped;
    expect(accepted).toBeLessThan(40);
    stream.resume();
    const result = await outcome;
    expect(result.status.code).toBe(0);
    expect(messages).toHaveLength(200);
    expect(messages.every((message) => message.length === chunk.length)).toBe(true);
  });
});

test.each([false, true])(
  "I5: a call that is given up reaches the server as a reset, not as an end of its messages (answered: %s)",
  async (answered) => {
    const seen: string[] = [];
    const gone = new Promise<void>((resolve) => {
      handle = (stream, headers) => {
        const served = new GrpcServerStream(
          { stream, headers },
          { message: () => started(), halfClose: () => seen.push("half-close"), closed: () => resolve() },
        );
        if (answered) served.sendHeader();
        stream.on("close", () => seen.push(`reset ${stream.rstCode}`));
      };
    });
    let started = (): void => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    const { stream, outcome } = call();
    stream.write([Buffer.from("x")]);
    await running;
    stream.cancel();
    await gone;
    expect(seen).toEqual(["reset 8"]);
    expect((await outcome).status.code).toBe(1);
  },
);

describe("a session", () => {
  test("serves more calls while much of what others send waits for a slow server", async () => {
    handle = (stream, headers) => {
      const served = new GrpcServerStream({ stream, headers }, { message: () => served.end({ code: 0, message: "" }) });
      if (headers["x-slow"] !== undefined) served.pause();
    };
    const slow = Array.from({ length: 5 }, () => call(new Map([["x-slow", ["1"]]])));
    for (const { stream } of slow) stream.write([Buffer.alloc(4 * STREAM_WINDOW_BYTES)]);
    const another = call();
    another.stream.write([Buffer.from("quick")]);
    expect((await another.outcome).status).toEqual({ code: 0, message: "" });
    for (const { stream } of slow) stream.cancel();
  });

  test("keeps open while the peer answers pings, and ends when it does not", async () => {
    let pings = 0;
    const enough = new Promise<void>((resolve) => {
      for (const opened of serverSessions) opened.on("ping", () => (pings += 1) === 3 && resolve());
    });
    keepAlive(session, { clock: systemClock, intervalMs: 5, timeoutMs: 5_000 });
    await enough;
    expect(session.destroyed).toBe(false);
    const failed = once(session, "error");
    // A stopped process takes the ping and never answers.
    session.ping = () => true;
    keepAlive(session, { clock: systemClock, intervalMs: 5, timeoutMs: 20 });
    const [error] = await failed;
    expect(error).toMatchObject({ reason: "peer_unreachable" });
    expect(session.destroyed).toBe(true);
  });

  test.each(["client", "server"] as const)("M7: data is a sign of life to a %s that waits for the answer to a ping", async (side) => {
    const clock = new StillClock();
    serve((stream) => ({ message: (data) => void stream.write([data]) }));
    const { stream, messages } = call();
    const [opened] = serverSessions;
    const watched = side === "client" ? session : opened;
    if (!watched) throw new Error("no session");
    // The answer waits behind megabytes on a slow line: it has not come yet.
    watched.ping = () => true;
    keepAlive(watched, { clock, intervalMs: 25_000, timeoutMs: 10_000 });
    clock.advance(25_000);
    for (let times = 0; times < 5; times += 1) {
      const before = watched.socket.bytesRead;
      stream.write([Buffer.from("x")]);
      await expect.poll(() => messages.length).toBe(times + 1);
      expect(watched.socket.bytesRead).toBeGreaterThan(before);
      clock.advance(10_000);
      expect(watched.destroyed).toBe(false);
    }
    const failed = once(watched, "error");
    clock.advance(10_000);
    expect(await failed).toMatchObject([{ reason: "peer_unreachable" }]);
  });
});

/** A clock that stands still until the test moves it; `@binnacle/testing` stands on this package. */
class StillClock implements Clock {
  readonly #timers = new Map<() => void, number>();
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const due = (): void => action();
    this.#timers.set(due, this.#nowMs + delayMs);
    return () => this.#timers.delete(due);
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
    for (const [due, atMs] of [...this.#timers].toSorted((a, b) => a[1] - b[1])) if (atMs <= this.#nowMs && this.#timers.delete(due)) due();
  }
}
