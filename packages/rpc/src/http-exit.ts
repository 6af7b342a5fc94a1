import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";

import { sleep, type Clock } from "./clock.ts";

/**
 * How long connections that carry nothing are kept after the server stopped accepting: a client that is just sending on one, or in the
 * middle of its TLS handshake, still gets its answer, with `Connection: close`.
 */
const LINGER_MS = 1_000;

/**
 * How an HTTP/1 server takes leave without failing a request: it stops accepting, says `Connection: close` on every answer, and waits
 * for those that run. It knows raw sockets from their first moment, also before TLS is done: one that says nothing holds nobody up.
 */
export class HttpExit {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #sockets = new Set<Socket>();
  readonly #running = new Set<ServerResponse>();
  readonly #waiting = new Set<() => void>();
  #stopped: Promise<void> | undefined;

  /** @param server nothing has been accepted yet */
  constructor(server: Server, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#changed();
      });
    });
    // First: another listener may answer at once.
    server.prependListener("request", (_request, response) => this.#began(response));
  }

  /** Answers that have not ended. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether the server has begun to leave. */
  get draining(): boolean {
    return this.#stopped !== undefined;
  }

  /** Stops accepting, and settles when nothing runs and the rest was idle for a second, at the latest when `deadline` aborts. */
  async drain(deadline: AbortSignal): Promise<void> {
    void this.#stop(); // `close` awaits it
    for (const response of this.#running) if (!response.headersSent) response.shouldKeepAlive = false;
    const gone = this.#until(() => this.#sockets.size === 0, deadline);
    await Promise.race([gone, sleep(this.#clock, LINGER_MS, deadline)]);
    await this.#until(() => this.#running.size === 0, deadline);
  }

  /** Cuts what is left. */
  async close(): Promise<void> {
    const stopped = this.#stop();
    // Now the rest of it: the timer that looks for slow clients.
    this.#server.close(() => undefined);
    for (const socket of this.#sockets) socket.destroy();
    await stopped;
  }

  #stop(): Promise<void> {
    this.#stopped ??= new Promise((resolve) => {
      // Only the listening socket: `close` of an HTTP server also cuts idle connections, and on one of them a request may be on its way.
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
    return this.#stopped;
  }

  #began(response: ServerResponse): void {
    this.#running.add(response);
    if (this.draining) response.shouldKeepAlive = false;
    response.once("close", () => {
      this.#running.delete(response);
      this.#changed();
    });
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
