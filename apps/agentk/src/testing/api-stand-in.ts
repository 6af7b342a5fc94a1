import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A plain HTTP server in the place of the Kubernetes API; a test says what it answers. */
export class ApiStandIn {
  readonly server: Server;
  readonly requests: IncomingMessage[] = [];
  answer: RequestListener = (_request, response) => void response.end("{}");
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.server = createServer((request, response: ServerResponse) => {
      this.requests.push(request);
      this.answer(request, response);
    });
    this.server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  static async listen(): Promise<ApiStandIn> {
    const api = new ApiStandIn();
    api.server.listen(0, "127.0.0.1");
    await once(api.server, "listening");
    return api;
  }

  get url(): URL {
    // The address of a listening TCP server is an AddressInfo.
    return new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  /** Values of a header of the last request, one per line that was sent. */
  lastHeader(name: string): string[] {
    const raw = this.requests.at(-1)?.rawHeaders ?? [];
    return raw.filter((_text, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name.toLowerCase());
  }

  /** Settles when the connection of the first request closes. */
  async connectionClosed(): Promise<void> {
    const socket = this.requests[0]?.socket;
    if (!socket) throw new Error("there was no request");
    await once(socket, "close");
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    if (this.server.listening) await once(this.server, "close");
  }
}
