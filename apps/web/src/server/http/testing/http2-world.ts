import { randomBytes } from "node:crypto";
import {
  connect as connectHttp2,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

import { Dashboard, GetResourceResponseSchema, WatchEnvironmentsResponseSchema } from "@binnacle/proto/dashboard";
import { HttpExit, systemClock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { ManualClock, selfSigned } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";

import { createConnectHandler } from "../../wire/connect-handler.ts";
import { createWebServer, listen, type WebServer, type WebServerOptions } from "../web-server.ts";
import { heldFile } from "../../config/testing/held-file.ts";

/** Path below which the calls of the dashboard are. */
export const CALL = "/api/rpc/dashboard.v1.Dashboard";
/** A request for a stream. */
const STREAM = {
  ":method": "POST",
  ":path": `${CALL}/WatchEnvironments`,
  "content-type": "application/connect+proto",
  "connect-protocol-version": "1",
  "accept-encoding": "gzip",
};

const { certificate, key } = selfSigned(["IP:127.0.0.1"]);

/** The dashboard's server over TLS, with stand-ins for all that it passes requests on to. */
export class Http2World {
  readonly clock = new ManualClock();
  /** What clients need to know to believe the server. */
  readonly agentOptions = { ca: certificate, host: "127.0.0.1" };
  /** Headers of requested pages, bodies of sign-ins, reasons of refusals, errors, "route outcome" of requests. */
  readonly pageRequests: IncomingHttpHeaders[] = [];
  readonly bodies: string[] = [];
  readonly refused: string[] = [];
  readonly failures: unknown[] = [];
  readonly outcomes: string[] = [];
  /** Of Node. */
  readonly warnings: Error[] = [];
  /** Connections that were accepted. */
  connections = 0;
  /** What `GetResource` answers. */
  yaml = "a: b\n";
  /** Streams never stop after their first message. */
  endless = false;
  /** Messages that were made by them; -1 once one has ended. */
  pulled = 0;
  readonly server: WebServer;
  readonly exit: HttpExit;
  readonly #open: ClientHttp2Session[] = [];
  readonly #noteWarning = (warning: Error): void => void this.warnings.push(warning);

  private constructor() {
    this.server = createWebServer(this.#options());
    this.server.on("connection", () => (this.connections += 1));
    this.exit = new HttpExit(this.server, systemClock);
    process.on("warning", this.#noteWarning);
  }

  static async open(): Promise<Http2World> {
    const world = new Http2World();
    await listen(world.server, "127.0.0.1:0");
    return world;
  }

  get port(): number {
    // A TCP server that listens has an AddressInfo.
    return (this.server.address() as AddressInfo).port;
  }

  /** A client's connection; it is gone with the world. */
  dial(): ClientHttp2Session {
    const session = connectHttp2(`https://127.0.0.1:${this.port}`, { ca: certificate });
    session.on("error", () => undefined);
    this.#open.push(session);
    return session;
  }

  /** A connection that speaks `protocol`, or what is written to it. */
  dialRaw(protocol: "h2" | "http/1.1"): TLSSocket {
    const socket = connectTls({ ...this.agentOptions, port: this.port, ALPNProtocols: [protocol] });
    return socket.on("error", () => undefined);
  }

  /** What an HTTP/1.1 client over TLS reads until the end. */
  async answerToRaw(bytes: string): Promise<string> {
    const socket = this.dialRaw("http/1.1");
    socket.write(bytes);
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  openSockets(): Promise<number> {
    return new Promise((resolve) => this.server.getConnections((_error, count) => resolve(count)));
  }

  async close(): Promise<void> {
    for (const session of this.#open) session.destroy();
    await this.exit.close();
    process.off("warning", this.#noteWarning);
  }

  #options(): WebServerOptions {
    return {
      config: {
        listen: { address: "127.0.0.1:0", certificate_file: heldFile(certificate), key_file: heldFile(new Secret(key)) },
        external_url: "https://app.localhost:3000",
        frame_ancestors: [],
        trusted_proxies: [],
      },
      bff: {
        sessionName: async (cookie) => cookie && "session",
        signInUrl: () => "http://app.localhost/sign-in",
        session: async (request) => {
          this.bodies.push(await request.text());
          return new Response(`hello from ${request.headers.get("x-forwarded-for")}`, { headers: { "set-cookie": "a=1" } });
        },
        rpc: createConnectHandler({
          prefix: "/api/rpc",
          authority: "app.localhost:3000",
          readMaxBytes: 64 * 1024,
          routes: (router) => this.#serve(router),
        }),
      },
      handle: async (request, response) => {
        // As Next would: a look at the headers through fetch's eyes, and words that HTTP/2 has not. Lists of headers are joined before.
        this.pageRequests.push(Object.fromEntries(new Headers(request.headers as Record<string, string>)));
        response.statusMessage = "OK";
        response.end("page");
      },
      failed: (error) => this.failures.push(error),
      refused: (reason) => this.refused.push(reason),
      requested: (route, outcome) => this.outcomes.push(`${route} ${outcome}`),
      build: "this-build",
      clock: this.clock,
      ready: () => true,
    };
  }

  #serve(router: ConnectRouter): void {
    const streamed = (call: HandlerContext) => this.#stream(call);
    router.service(Dashboard, {
      getResource: () => create(GetResourceResponseSchema, { yaml: this.yaml }),
      watchEnvironments: (_request, call) => streamed(call),
    });
  }

  async *#stream({ signal }: HandlerContext) {
    yield create(WatchEnvironmentsResponseSchema, { removed: ["a message ".repeat(50)] });
    // A client that leaves at once may be gone before the second message is requested.
    if (!this.endless && !signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    try {
      for (; !signal.aborted; this.pulled += 1)
        yield create(WatchEnvironmentsResponseSchema, { removed: [randomBytes(48 * 1024).toString("base64")] });
    } finally {
      this.pulled = -1;
    }
  }
}

/** An answer over HTTP/2. */
export interface Http2Answer {
  readonly headers: IncomingHttpHeaders;
  /** Its bytes, one character each. */
  readonly text: string;
}

/** Asks, and reads the whole answer. */
export function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Buffer): Promise<Http2Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return answerOn(stream);
}

/** The whole answer on a stream. */
export function answerOn(stream: ClientHttp2Stream): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {};
    let text = "";
    stream.on("response", (found) => (headers = found));
    stream.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    stream.on("error", reject).on("close", () => resolve({ headers, text }));
  });
}

/** Opens a live stream, whose end is no failure. */
export function openStream(session: ClientHttp2Session): ClientHttp2Stream {
  const stream = session.request(STREAM);
  // An empty request in an envelope of Connect.
  return stream.on("error", () => undefined).end(Buffer.alloc(5));
}

/** Settles with the code of the GOAWAY, or undefined, when the session is gone. */
export function endOf(session: ClientHttp2Session): Promise<number | undefined> {
  let code: number | undefined;
  session.on("goaway", (with_: number) => (code = with_));
  return new Promise((resolve) => session.once("close", () => resolve(code)));
}
