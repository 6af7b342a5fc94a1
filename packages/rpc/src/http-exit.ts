import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Session } from "node:http2";
import type { Server, Socket } from "node:net";

import { sleep, type Clock } from "./clock.ts";
import { Slots } from "./slots.ts";
import { stopAccepting, stopAcceptingAtOnce } from "./stop-accepting.ts";
import { twoTurns } from "./two-turns.ts";

/**
 * How long connections that carry nothing are kept after the server stopped accepting: a client that is just sending on one, or in the
 * middle of its TLS handshake, still gets its answer, with `Connection: close`.
 */
const LINGER_MS = 1_000;
/** The same for connections without a request yet: on a busy machine, a TLS handshake takes that long. */
const FIRST_REQUEST_MS = 5_000;

/** A server of `node:http`, `node:https` or `node:http2`. */
type HttpServer = Server & { closeIdleConnections?(): void };

/**
 * Graceful shutdown of an HTTP server: it stops accepting, sends `Connection: close` with every response, or GOAWAY over HTTP/2, and waits
 * for running requests. Raw sockets are tracked from the start, also before TLS is done, so that one without a request does not delay the shutdown.
 */
export class HttpExit {
  readonly #server: HttpServer;
  readonly #clock: Clock;
  readonly #sockets = new Set<Socket>();
  /** Sessions of HTTP/2 by their client: an ended session no longer knows it, and reports its end a turn later. */
  readonly #sessions = new Map<ServerHttp2Session, string>();
  readonly #running = new Slots<ServerResponse>();
  readonly #waiting = new Set<() => void>();
  /** Clients without a request yet, and when they connected; over TLS a request does not know the socket that was accepted. */
  readonly #silent = new Map<string, number>();
  #stopped: Promise<void> | undefined;

  /** @param server nothing has been accepted yet */
  constructor(server: HttpServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    // First: a session of HTTP/2 may be made of it at once.
    server.prependListener("connection", (socket: Socket) => {
      const client = clientOf(socket);
      this.#sockets.add(socket);
      this.#silent.set(client, clock.now());
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#silent.delete(client);
        this.#changed();
      });
    });
    server.on("session", (session: ServerHttp2Session) => {
      if (session.destroyed) return;
      const client = clientOf(session.socket);
      this.#sessions.set(session, client);
      session.once("close", () => this.#sessions.delete(session));
      if (this.draining) this.#announceEnd(session, client);
    });
    // First: another listener may answer at once.
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      if (this.#silent.size > 0) this.#silent.delete(clientOf(request.socket));
      this.#began(response);
    });
  }

  /** Answers that have not ended. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether `drain` or `close` was called. */
  get draining(): boolean {
    return this.#stopped !== undefined;
  }

  /**
   * Stops accepting, and settles when no request runs, new connections had 5 s for their first request, and the rest was idle for a second;
   * at the latest when `deadline` aborts. Then the idle connections are closed: a client that sends on one of them later sees the close
   * first.
   */
  async drain(deadline: AbortSignal): Promise<void> {
    this.#stopped ??= stopAccepting(this.#server); // `close` awaits it
    for (const response of this.#running.values()) if (!response.headersSent) response.shouldKeepAlive = false;
    // Connections that are just being accepted count too.
    do await twoTurns();
    while (this.#server.listening);
    for (const [session, client] of this.#sessions) this.#announceEnd(session, client);
    await this.#untilOrFor(() => this.#sockets.size === 0, LINGER_MS, deadline);
    await this.#untilOrFor(() => !this.#isAwaiting(), FIRST_REQUEST_MS - LINGER_MS, deadline);
    do {
      await this.#until(() => this.#running.size === 0, deadline);
      // What has reached the system and was not read yet: a request that is there is not cut.
      await twoTurns();
    } while (this.#running.size > 0 && !deadline.aborted);
    // Not those that were upgraded: what serves them ends them.
    if (this.#running.size === 0) this.#server.closeIdleConnections?.();
    for (const session of this.#sessions.keys()) session.close();
  }

  /** Cuts what is left. */
  async close(): Promise<void> {
    const stopped = (this.#stopped ??= stopAcceptingAtOnce(this.#server));
    // Now the rest of it: the timer that looks for slow clients.
    this.#server.close(() => undefined);
    for (const socket of this.#sockets) socket.destroy();
    await stopped;
  }

  /**
   * GOAWAY names the last request that was seen: any later one may be sent again, elsewhere (RFC 9113 §6.8). A client without a request yet gets it
   * with the first response, because Node cannot send GOAWAY before it closes the session.
   */
  #announceEnd(session: ServerHttp2Session, client: string): void {
    if (this.#silent.has(client)) session.once("stream", () => session.close());
    else session.close();
  }

  #began(response: ServerResponse): void {
    const slot = this.#running.add(response);
    if (this.draining) response.shouldKeepAlive = false;
    response.on("close", () => {
      this.#running.remove(slot);
      this.#changed();
    });
  }

  /** Whether a client has just connected and sent no request yet. */
  #isAwaiting(): boolean {
    const sinceMs = this.#clock.now() - FIRST_REQUEST_MS;
    return this.#silent.values().some((cameMs) => cameMs > sinceMs);
  }

  async #untilOrFor(isSo: () => boolean, ms: number, deadline: AbortSignal): Promise<void> {
    const settled = new AbortController();
    const over = AbortSignal.any([settled.signal, deadline]);
    await Promise.race([this.#until(isSo, over), sleep(this.#clock, ms, over)]);
    settled.abort();
  }

  #until(isSo: () => boolean, deadline?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo() && deadline?.aborted !== true) return;
        this.#waiting.delete(look);
        deadline?.removeEventListener("abort", look);
        resolve();
      };
      this.#waiting.add(look);
      deadline?.addEventListener("abort", look, { once: true });
      look();
    });
  }

  #changed(): void {
    for (const look of this.#waiting) look();
  }
}

function clientOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress}:${remotePort}`;
}
