import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const PIECE = Buffer.alloc(256 * 1024, 32);

/** An HTTP server on loopback whose answers never end: white space, as fast as its reader reads. */
export class EndlessServer {
  readonly #server: Server;
  readonly #cut = Promise.withResolvers<void>();
  /** Of the answers that begin from now on. */
  status = 200;
  /** Also of these. */
  headers: Readonly<Record<string, string>> = {};
  /** When set, the response as JSON: the server is healthy again. */
  completeAnswer: object | undefined;
  /** That came so far. */
  requests = 0;
  /** Handed to the socket so far. */
  sentBytes = 0;

  private constructor() {
    this.#server = createServer((_request, response) => {
      this.requests += 1;
      response.writeHead(this.status, { "content-type": "application/json", ...this.headers });
      if (this.completeAnswer !== undefined) response.end(JSON.stringify(this.completeAnswer));
      else {
        response.on("close", () => this.#cut.resolve());
        this.#pour(response);
      }
    });
  }

  static async listen(): Promise<EndlessServer> {
    const endless = new EndlessServer();
    await new Promise<void>((resolve) => endless.#server.listen(0, "127.0.0.1", resolve));
    return endless;
  }

  get url(): string {
    // A server that listens on a port has such an address.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Settles when a reader has cut an answer. */
  get cut(): Promise<void> {
    return this.#cut.promise;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pour(response: ServerResponse): void {
    if (response.destroyed) return;
    this.sentBytes += PIECE.length;
    if (response.write(PIECE)) setImmediate(() => this.#pour(response));
    else response.once("drain", () => this.#pour(response));
  }
}
