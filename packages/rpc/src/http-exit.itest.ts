import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import { connect, type AddressInfo, type Socket } from "node:net";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Clock } from "./clock.ts";
import { HttpExit } from "./http-exit.ts";

/** Stands still until a test lets time pass. */
class StandingClock implements Clock {
  #nowMs = 1_800_000_000_000;
  readonly #timers = new Set<{ readonly atMs: number; readonly action: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Lets time pass until the work is done, with turns of the event loop in between: on a busy machine a server takes many to stop accepting. */
  async passUntil<T>(work: Promise<T>): Promise<T> {
    const settled = Promise.allSettled([work]);
    const turn = (): Promise<undefined> => new Promise((resolve) => setImmediate(() => resolve(undefined)));
    do {
      this.#nowMs += 100;
      for (const timer of this.#timers) if (timer.atMs <= this.#nowMs && this.#timers.delete(timer)) timer.action();
    } while ((await Promise.race([settled, turn()])) === undefined);
    return work;
  }
}

let clock: StandingClock;
let server: Server;
let exit: HttpExit;
let port = 0;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const sockets: Socket[] = [];
const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeEach(async () => {
  answer = (_request, response) => response.end("done");
  server = createServer();
  clock = new StandingClock();
  exit = new HttpExit(server, clock);
  server.on("request", (request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  keepAliveAgent.destroy();
  await exit.close();
});

function ask(path = "/"): Promise<{ readonly connection: string | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent: keepAliveAgent }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ connection: response.headers.connection, text }));
      response.on("error", reject);
    }).on("error", reject);
  });
}

/** "connected", or the code of the error. */
function outcomeOfConnecting(): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  return new Promise((resolve) =>
    socket.on("connect", () => resolve("connected")).on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)),
  );
}

const never = new AbortController().signal;

test("KS3: a keep-alive connection gets one more response during shutdown, with Connection: close", async () => {
  expect(await ask()).toEqual({ connection: "keep-alive", text: "done" });
  const drained = exit.drain(never);
  expect(await ask()).toEqual({ connection: "close", text: "done" });
  await drained;
  await expect(ask()).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("KS3: a connection that the system has taken, and the server not yet, is served", async () => {
  const late = connect(port, "127.0.0.1");
  sockets.push(late);
  // Now it is on its way; the system answers it without the server.
  await new Promise((resolve) => process.nextTick(resolve));
  const drained = exit.drain(never);
  const answered = new Promise<string>((resolve, reject) => late.once("data", (data) => resolve(data.toString())).once("error", reject));
  late.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await answered).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n/is);
  await drained;
});

test("KS3: a request that reaches the system right before the idle connections are closed is answered", async () => {
  const nothing = (): void => undefined;
  let fire = nothing;
  const standing = {
    now: () => 0,
    after(_ms: number, action: () => void) {
      fire = action;
      return () => undefined;
    },
  };
  const leaving = new HttpExit(server, standing);
  const client = connect(port, "127.0.0.1");
  sockets.push(client);
  let heard = "";
  client.on("data", (data) => (heard += data.toString()));
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => heard).toContain("done");
  heard = "";
  const left = leaving.drain(never).then(() => leaving.close());
  await expect.poll(() => fire).not.toBe(nothing);
  // In one turn: the bytes are with the system when the second of patience ends.
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  fire();
  await left;
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*done/is);
});

test("KS3: the last client to connect gets a response, even when its request comes late", async () => {
  const sleeping: (() => void)[] = [];
  const standing = {
    now: () => 0,
    after(_ms: number, action: () => void) {
      sleeping.push(action);
      return () => undefined;
    },
  };
  const leaving = new HttpExit(server, standing);
  const client = connect(port, "127.0.0.1");
  sockets.push(client);
  await new Promise((resolve) => server.once("connection", resolve));
  let heard = "";
  client.on("data", (data) => (heard += data.toString()));
  const left = leaving.drain(never).then(() => leaving.close());
  await expect.poll(() => sleeping).toHaveLength(1);
  // The patience with idle connections is over.
  sleeping[0]?.();
  await expect.poll(() => sleeping).toHaveLength(2);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await left;
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*done/is);
});

test("a running answer is waited for, and nothing new is accepted meanwhile", async () => {
  let running: ServerResponse | undefined;
  answer = (_request, response) => (running = response);
  const pending = ask();
  await expect.poll(() => running).toBeDefined();
  let drained = false;
  const draining = exit.drain(never).then(() => (drained = true));
  await expect.poll(() => outcomeOfConnecting()).toBe("ECONNREFUSED");
  expect(drained).toBe(false);
  running?.end("late");
  expect(await pending).toEqual({ connection: "close", text: "late" });
  await clock.passUntil(draining);
  expect(exit.running).toBe(0);
});

test("KS2: a connection without a request does not delay the shutdown", async () => {
  const silent = connect(port, "127.0.0.1");
  sockets.push(silent);
  await new Promise((resolve) => silent.once("connect", resolve));
  const cut = new Promise((resolve) => silent.once("close", resolve));
  await clock.passUntil(exit.drain(never));
  await exit.close();
  await expect(cut).resolves.toBeDefined();
});

test("the deadline ends the wait for an answer that never ends", async () => {
  answer = (_request, response) => void response.write("and so on");
  const outcome = ask().then(
    () => "answered",
    (error: NodeJS.ErrnoException) => error.code,
  );
  await expect.poll(() => exit.running).toBe(1);
  const deadline = new AbortController();
  const draining = exit.drain(deadline.signal);
  deadline.abort();
  await draining;
  await exit.close();
  expect(await outcome).toBe("ECONNRESET");
});

describe("over HTTP/2", () => {
  let http2: Http2Server;
  let leaving: HttpExit;
  let session: ClientHttp2Session;
  let http2Answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void;

  beforeEach(async () => {
    http2 = createHttp2Server();
    leaving = new HttpExit(http2, clock);
    http2Answer = (_request, response) => void response.end("done");
    http2.on("request", (request, response) => http2Answer(request, response));
    await new Promise<void>((resolve) => http2.listen(0, "127.0.0.1", resolve));
    session = dialHttp2();
  });

  afterEach(async () => {
    session.destroy();
    await leaving.close();
  });

  function dialHttp2(): ClientHttp2Session {
    // A TCP server that listens has an AddressInfo.
    const dialled = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`);
    dialled.on("error", () => undefined);
    return dialled;
  }

  async function textOf(stream: ClientHttp2Stream): Promise<string> {
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return text;
  }

  test("KS3: running streams are awaited, GOAWAY names the last stream that was seen, then the session ends", async () => {
    let finish: (() => void) | undefined;
    http2Answer = (_request, response) => (finish = () => void response.end("late"));
    const slow = session.request({ ":path": "/slow" });
    const answer = textOf(slow);
    await expect.poll(() => finish).toBeDefined();
    const ended = new Promise((resolve) => session.once("close", resolve));
    const seen = new Promise((resolve) => session.once("goaway", (code: number, lastStreamId: number) => resolve([code, lastStreamId])));
    const drained = leaving.drain(never);
    expect(await seen).toEqual([0, slow.id]);
    finish?.();
    expect(await answer).toBe("late");
    await Promise.all([drained, ended]);
  });

  test("KS3: a connection that the system has taken, and the server not yet, gets its answer and goes", async () => {
    const late = dialHttp2();
    // Now it is on its way; the system answers it without the server.
    await new Promise((resolve) => process.nextTick(resolve));
    const drained = leaving.drain(never);
    const ended = new Promise((resolve) => late.once("close", resolve));
    expect(await textOf(late.request({ ":path": "/" }))).toBe("done");
    await clock.passUntil(Promise.all([drained, ended]));
  });

  test("KS3: a session that comes while the server leaves, and is gone at once, is let go", async () => {
    let drained: Promise<void> | undefined;
    const ended = new Promise((resolve) => session.once("close", resolve));
    http2.prependListener("session", (gone) => {
      drained = leaving.drain(never);
      gone.destroy();
    });
    await ended;
    await expect(drained).resolves.toBeUndefined();
  });

  test("KS3: a session that ends in the turn in which the leaving server looks at it is let go", async () => {
    const served = await new Promise<ServerHttp2Session>((resolve) => http2.once("session", resolve));
    endWhenLooked(served);
    await expect(leaving.drain(never)).resolves.toBeUndefined();
  });

  /** Ends a session when `server.listening` is read: in the same turn the sessions are looked at next. */
  function endWhenLooked(served: ServerHttp2Session): void {
    Object.defineProperty(http2, "listening", {
      get: () => {
        served.destroy();
        return false;
      },
    });
  }

  test("KS2: a session without a stream does not delay the shutdown", async () => {
    await new Promise((resolve) => session.once("connect", resolve));
    const ended = new Promise((resolve) => session.once("close", resolve));
    await clock.passUntil(leaving.drain(never));
    await leaving.close();
    await expect(ended).resolves.toBeUndefined();
  });

  test("a stream that never ends is cut after the deadline", async () => {
    http2Answer = (_request, response) => void response.write("and so on");
    const stream = session.request({ ":path": "/" }).on("error", () => undefined);
    await new Promise((resolve) => stream.once("data", resolve));
    const closed = new Promise((resolve) => stream.once("close", resolve));
    const deadline = new AbortController();
    const drained = leaving.drain(deadline.signal);
    deadline.abort();
    await drained;
    expect(leaving.running).toBe(1);
    await leaving.close();
    await closed;
  });
});
