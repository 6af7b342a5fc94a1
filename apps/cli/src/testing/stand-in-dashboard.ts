import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

import {
  Dashboard,
  ListProjectsResponseSchema,
  WatchEnvironmentResponseSchema,
  WatchEnvironmentsResponseSchema,
  WatchResponseSchema,
  type WatchEnvironmentResponse,
  type WatchEnvironmentsResponse,
  type WatchResponse,
} from "@binnacle/proto/dashboard";
import { Logs, ReadLogsResponseSchema, type ReadLogsRequest, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

/** What a stream of an environment is sent, without its time. */
export type EnvironmentMessage = Pick<
  Exclude<MessageInitShape<typeof WatchEnvironmentResponseSchema>, WatchEnvironmentResponse>,
  "message"
>;

/** A server of `dashboard.v1` whose streams say what a test has them say. */
export class StandInDashboard {
  /** Tokens that are accepted. */
  readonly tokens = new Set(["glpat-ann"]);
  /** `Cookie` headers that came; no call of the program has one. */
  readonly cookies: string[] = [];
  /** What a stream of an environment is sent when it is opened. */
  opening: readonly EnvironmentMessage[] = [];
  rows: readonly MessageInitShape<typeof WatchEnvironmentsResponseSchema>[] = [];
  events: readonly MessageInitShape<typeof WatchResponseSchema>[] = [];
  /** Called with each request for logs. */
  logs: (request: ReadLogsRequest) => readonly (MessageInitShape<typeof ReadLogsResponseSchema> | ConnectError)[] = () => [];
  /** Streams of an environment that were opened so far. */
  opened = 0;
  /** Added to the time of each message, in milliseconds. */
  aheadMs = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<Queue>();

  private constructor() {
    this.#server = createServer(
      connectNodeAdapter({
        requestPathPrefix: "/api/rpc",
        grpc: false,
        grpcWeb: false,
        routes: (router) =>
          router
            .service(Dashboard, {
              listProjects: (_, call) => {
                this.#authenticate(call);
                return create(ListProjectsResponseSchema, {
                  projects: [{ fullPath: "group/app", name: "app" }],
                  viewer: { username: "ann" },
                });
              },
              watchEnvironment: (_, call) => this.#environment(call),
              watchEnvironments: (_, call) => this.#rows(call),
              watch: (_, call) => this.#events(call),
            })
            .service(Logs, { readLogs: (request, call) => this.#logs(request, call) }),
      }),
    );
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<StandInDashboard> {
    const dashboard = new StandInDashboard();
    await new Promise<void>((resolve) => dashboard.#server.listen(0, "127.0.0.1", resolve));
    return dashboard;
  }

  get url(): string {
    // A TCP server that listens has an AddressInfo.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Streams of an environment that are open. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Sends a message to all of them. @param aheadMs how much later the server says it is */
  send(message: EnvironmentMessage, aheadMs = this.aheadMs): void {
    this.aheadMs = aheadMs;
    for (const stream of this.#streams) stream.put(message);
  }

  /** Ends all streams of an environment with an error. */
  fail(error: ConnectError): void {
    for (const stream of this.#streams) stream.put(error);
  }

  /** Cuts every connection, in the middle of whatever it is in. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #authenticate({ requestHeader }: HandlerContext): void {
    const cookie = requestHeader.get("cookie");
    if (cookie !== null) this.cookies.push(cookie);
    const token = /^Bearer (.+)$/.exec(requestHeader.get("authorization") ?? "")?.[1] ?? "";
    if (!this.tokens.has(token)) throw new ConnectError("Your session has ended. Sign in again.", Code.Unauthenticated);
  }

  async *#environment(call: HandlerContext): AsyncGenerator<WatchEnvironmentResponse> {
    this.#authenticate(call);
    this.opened += 1;
    const stream = new Queue(call.signal);
    this.#streams.add(stream);
    const stamped = (message: EnvironmentMessage): WatchEnvironmentResponse =>
      create(WatchEnvironmentResponseSchema, { ...message, sentAt: timestampFromMs(Date.now() + this.aheadMs) });
    try {
      for (const message of this.opening) yield stamped(message);
      for await (const message of stream.messages()) {
        if (message instanceof ConnectError) throw message;
        yield stamped(message);
      }
    } finally {
      this.#streams.delete(stream);
    }
  }

  async *#rows(call: HandlerContext): AsyncGenerator<WatchEnvironmentsResponse> {
    this.#authenticate(call);
    for (const message of this.rows) yield create(WatchEnvironmentsResponseSchema, message);
    await left(call.signal);
  }

  async *#events(call: HandlerContext): AsyncGenerator<WatchResponse> {
    this.#authenticate(call);
    for (const message of this.events) yield create(WatchResponseSchema, message);
    await left(call.signal);
  }

  async *#logs(request: ReadLogsRequest, call: HandlerContext): AsyncGenerator<ReadLogsResponse> {
    this.#authenticate(call);
    for (const message of this.logs(request)) {
      if (message instanceof ConnectError) throw message;
      yield create(ReadLogsResponseSchema, message);
    }
    if (request.follow) await left(call.signal);
  }
}

function left(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}

/** Messages of one stream, until its reader leaves. */
class Queue {
  readonly #signal: AbortSignal;
  readonly #waiting: (EnvironmentMessage | ConnectError)[] = [];
  #wake = (): void => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake());
  }

  put(message: EnvironmentMessage | ConnectError): void {
    this.#waiting.push(message);
    this.#wake();
  }

  async *messages(): AsyncGenerator<EnvironmentMessage | ConnectError> {
    while (!this.#signal.aborted) {
      const message = this.#waiting.shift();
      if (message !== undefined) yield message;
      // One after the other: that is what a queue is for.
      // oxlint-disable-next-line no-await-in-loop
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
