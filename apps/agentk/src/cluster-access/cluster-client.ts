import type { IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import type { Duplex, Readable } from "node:stream";

import { Fault } from "@binnacle/rpc";
import type * as undici from "undici";
import type { buildConnector, Dispatcher, Pool } from "undici";

import type { ImpersonatedIdentity } from "./impersonation.ts";
import type { ClusterAccess, ClusterTls } from "./cluster-access.ts";
import { ExpectingRequest } from "./expecting-request.ts";
import { readBeforeWriteErrors } from "./read-before-write-errors.ts";

/** A request to the API server. */
export interface ClusterRequest {
  readonly method: string;
  /** Path and query, encoded; begins with a slash. */
  readonly target: string;
  /** Names and values in turn; without `Authorization` and `Host`. */
  readonly headers: readonly string[];
  /** undefined: unknown, the body goes in chunks. */
  readonly contentLength: number | undefined;
  /** A request is sent once: a caller that retries it passes the bytes again. */
  readonly body: Readable | AsyncIterable<Uint8Array> | Uint8Array | undefined;
  /** Names and values of the fields behind the body, known at its end; only with `requestOnOwnConnection` and a body in chunks. */
  readonly trailers?: () => Readonly<Record<string, readonly string[]>>;
}

/** A request that undici cannot make: one whose body waits for the API server to ask for it, or that ends with trailers. */
export type OwnConnectionRequest = ClusterRequest & { readonly body: Readable; readonly expects: boolean };

/** Receives the answer. Called synchronously; exactly one of `end` and `error`, last. */
export interface ClusterResponseListener {
  /** The head of the request is written: from now on its effect is unknown until there is a response. */
  started?(): void;
  /** The API server wants the body of a request that `expects`. */
  continue?(): void;
  /** Before the header, at most 8 times: 102 to 199. */
  informational?(statusCode: number, headers: IncomingHttpHeaders): void;
  header(statusCode: number, statusText: string | undefined, headers: IncomingHttpHeaders): void;
  data(chunk: Buffer): void;
  /** @param trailers fields behind the body; absent: there are none */
  end(trailers?: IncomingHttpHeaders): void;
  error(error: unknown): void;
}

/** Receives the answer to a request for an upgrade. */
export interface UpgradeResponseListener extends ClusterResponseListener {
  /** Instead of all others but `error` before it: the API server has answered 101. The socket is the listener's, and is not read yet. */
  switched(headers: IncomingHttpHeaders, socket: Duplex): void;
}

/** A request that is on its way. */
export interface RunningRequest {
  /** Stops and restarts the flow of `data`. */
  pause(): void;
  resume(): void;
  /** Breaks it off; the API server sees its connection close. */
  abort(reason: Error): void;
}

const require = createRequire(import.meta.url);

const CONNECT_MS = 10_000;
/** Informational answers one request may get. */
const MAX_INFORMATIONAL = 8;
/** What may be sent again by undici, which does so in some ends of a connection of its own making. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Makes requests to one API server over kept HTTP/1.1 connections. Follows no redirects, retries nothing, adds only the credential. */
export class ClusterClient {
  readonly #access: ClusterAccess;
  readonly #basePath: string;
  #dispatcher: { readonly tls: ClusterTls; readonly dispatcher: Dispatcher } | undefined;

  constructor(access: ClusterAccess) {
    this.#access = access;
    this.#basePath = access.server.pathname.replace(/(?<!\/)\/+$/, "");
  }

  /** Impersonation of the kubeconfig itself. */
  get identity(): ImpersonatedIdentity | undefined {
    return this.#access.identity;
  }

  /**
   * As `request`, and asks to change to another protocol, on a connection of its own: whatever is answered, it carries no other request (T1).
   * The listener checks that the protocol of a 101 is the one that was requested.
   */
  upgrade(request: ClusterRequest, protocol: string, listener: UpgradeResponseListener): RunningRequest {
    return this.#send(request, listener, { protocol, switched: (headers, socket) => listener.switched(headers, socket) });
  }

  /** Sends a request. Failures arrive at `listener.error`, as a Fault `cluster_unavailable` where the API server or the way to it is to blame. */
  request(request: ClusterRequest, listener: ClusterResponseListener): RunningRequest {
    return this.#send(request, listener);
  }

  #send(request: ClusterRequest, listener: ClusterResponseListener, upgrade?: Upgrade): RunningRequest {
    const { protocol, switched } = upgrade ?? {};
    const isSafe = SAFE_METHODS.has(request.method);
    const exchange = new Exchange(listener, { isSafe, refused: () => this.#access.refused(), ...(switched && { switched }) });
    let authorization: ReturnType<ClusterAccess["authorization"]>;
    try {
      authorization = this.#access.authorization();
    } catch (error) {
      exchange.fail(unavailable(error));
      return exchange;
    }
    if (authorization instanceof Promise) {
      authorization.then(
        (value) => this.#dispatch(request, { exchange, authorization: value, protocol }),
        (error: unknown) => exchange.fail(unavailable(error)),
      );
    } else {
      this.#dispatch(request, { exchange, authorization, protocol });
    }
    return exchange;
  }

  /** Whether `requestOnOwnConnection` reaches this API server: not through a proxy. */
  get canUseOwnConnection(): boolean {
    return this.#access.proxy === undefined;
  }

  /** As `request`, on a connection of its own: the API server says first whether it wants the body, or trailers follow it. */
  requestOnOwnConnection(request: OwnConnectionRequest, listener: ClusterResponseListener): RunningRequest {
    const later = new LaterRequest();
    Promise.resolve()
      .then(() => this.#access.authorization())
      .then(
        (authorization) => later.begin(() => this.#expecting(request, { listener, authorization })),
        (error: unknown) =>
          later.begin(() => {
            listener.error(unavailable(error));
            return undefined;
          }),
      );
    return later;
  }

  /** Closes what is kept open. */
  async close(): Promise<void> {
    await this.#dispatcher?.dispatcher.destroy();
  }

  #expecting(
    request: OwnConnectionRequest,
    { listener, authorization }: { readonly listener: ClusterResponseListener; readonly authorization: string | undefined },
  ): RunningRequest {
    const { server } = this.#access;
    const headers = authorization === undefined ? request.headers : [...request.headers, "Authorization", authorization];
    const options = { server, tls: this.#access.tls(), headers, target: this.#basePath + request.target };
    return new ExpectingRequest(request, { ...options, failed: unavailable, refused: () => this.#access.refused() }, listener);
  }

  #dispatch(
    request: ClusterRequest,
    by: { readonly exchange: Exchange; readonly authorization: string | undefined; readonly protocol: string | undefined },
  ): void {
    if (by.exchange.aborted) return;
    const headers = [...request.headers];
    if (by.authorization !== undefined) headers.push("Authorization", by.authorization);
    if (request.body && request.contentLength !== undefined) headers.push("Content-Length", String(request.contentLength));
    try {
      const own = by.protocol === undefined ? undefined : createDispatcher(this.#access, this.#access.tls());
      if (own) by.exchange.onDone = () => void setImmediate(() => void own.destroy());
      (own ?? this.#current()).dispatch(
        {
          origin: this.#access.server.origin,
          path: this.#basePath + request.target,
          method: request.method,
          headers,
          // undici sends what can be iterated; its types do not say so.
          body: (request.body as Readable | Uint8Array | undefined) ?? null,
          // A watch may be silent for an hour; only the caller cancels a request.
          bodyTimeout: 0,
          headersTimeout: 0,
          ...(by.protocol !== undefined && { upgrade: by.protocol }),
        },
        by.exchange,
      );
    } catch (error) {
      by.exchange.fail(unavailable(error));
    }
  }

  #current(): Dispatcher {
    const tls = this.#access.tls();
    if (this.#dispatcher?.tls === tls) return this.#dispatcher.dispatcher;
    // New certificates: running requests end on the old connections.
    void this.#dispatcher?.dispatcher.close();
    this.#dispatcher = { tls, dispatcher: createDispatcher(this.#access, tls) };
    return this.#dispatcher.dispatcher;
  }
}

/** Of undici's hundred files, the twenty that an agent without a proxy needs. */
function poolClass(): typeof Pool {
  // The file is what the package exports as Pool.
  return require("undici/lib/dispatcher/pool.js") as typeof Pool;
}

/** Connections on which the answer of a server that leaves early is not lost. */
function connectorOf(tls: ClusterTls): buildConnector.connector {
  // The file is what the package exports as buildConnector.
  const build = require("undici/lib/core/connect.js") as typeof buildConnector;
  const connect = build({ ...tls, allowH2: false, timeout: CONNECT_MS });
  return (options, done) =>
    connect(options, (...[error, socket]) => (error ? done(error, null) : done(null, readBeforeWriteErrors(socket))));
}

function createDispatcher(access: ClusterAccess, tls: ClusterTls): Dispatcher {
  const kept = { pipelining: 1, allowH2: false, keepAliveTimeout: 30_000, connectTimeout: CONNECT_MS, maxHeaderSize: 64 * 1024 };
  if (!access.proxy) return new (poolClass())(access.server.origin, { ...kept, connect: connectorOf(tls) });
  // What the package exports.
  const { ProxyAgent, Socks5ProxyAgent } = require("undici") as typeof undici;
  if (access.proxy.protocol === "socks5:") return new Socks5ProxyAgent(access.proxy, { ...kept, requestTls: tls });
  return new ProxyAgent({ ...kept, uri: access.proxy.href, requestTls: tls, proxyTunnel: true });
}

/** An upgrade that a request asks for. */
interface Upgrade {
  readonly protocol: string;
  readonly switched: UpgradeResponseListener["switched"];
}

interface ExchangeOptions {
  readonly isSafe: boolean;
  readonly refused: () => void;
  /** Absent: undici takes a 101 for an error. */
  readonly switched?: UpgradeResponseListener["switched"];
}

/** One request and its answer, between undici and the listener. */
class Exchange implements RunningRequest, Dispatcher.DispatchHandler {
  readonly #listener: ClusterResponseListener;
  readonly #options: ExchangeOptions;
  /** Called once, when the connection is not undici's any more, or has nothing more to carry. */
  onDone = (): void => {};
  #isOut = false;
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: Error | undefined;
  #informational = 0;
  #done = false;

  constructor(listener: ClusterResponseListener, options: ExchangeOptions) {
    this.#listener = listener;
    this.#options = options;
  }

  get aborted(): boolean {
    return this.#aborted !== undefined;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(reason: Error): void {
    if (this.#done) return;
    this.#aborted = reason;
    if (this.#controller) this.#controller.abort(reason);
  }

  fail(error: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.onDone();
    this.#listener.error(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) return controller.abort(this.#aborted);
    if (this.#isOut && !this.#options.isSafe) return controller.abort(new Error("the connection ended under the request"));
    this.#isOut = true;
    this.#listener.started?.();
  }

  // oxlint-disable-next-line max-params -- undici calls it so
  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
    statusMessage?: string,
  ): void {
    if (statusCode < 200) {
      this.#informational += 1;
      if (this.#informational > MAX_INFORMATIONAL)
        controller.abort(new Fault("cluster_unavailable", "the API server sent too many informational answers"));
      else this.#listener.informational?.(statusCode, headers);
      return;
    }
    if (statusCode === 401) this.#options.refused();
    this.#listener.header(statusCode, statusMessage, headers);
  }

  // oxlint-disable-next-line max-params -- undici calls it so
  onRequestUpgrade(_controller: Dispatcher.DispatchController, _statusCode: number, headers: IncomingHttpHeaders, socket: Duplex): void {
    if (this.#done || this.#aborted) return void socket.destroy();
    this.#done = true;
    this.onDone();
    this.#options.switched?.(headers, socket);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#listener.data(chunk);
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (this.#done) return;
    this.#done = true;
    this.onDone();
    this.#listener.end(trailers);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(unavailable(error));
  }
}

/** A request that is made when its credential is there. */
class LaterRequest implements RunningRequest {
  #running: RunningRequest | undefined;
  #aborted = false;
  #paused = false;

  begin(make: () => RunningRequest | undefined): void {
    if (this.#aborted) return;
    this.#running = make();
    if (this.#paused) this.#running?.pause();
  }

  pause(): void {
    this.#paused = true;
    this.#running?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#running?.resume();
  }

  abort(reason: Error): void {
    this.#aborted = true;
    this.#running?.abort(reason);
  }
}

/** A Fault as it is; anything else without its text, which may hold addresses. */
function unavailable(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : error instanceof Error
        ? error.name
        : "unknown";
  return new Fault("cluster_unavailable", `the request to the cluster's API server failed (${code})`, { cause: error });
}
