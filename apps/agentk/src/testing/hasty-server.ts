import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** How a hasty server leaves its connection after it has answered. */
type HastyEnd = "leaves it open" | "closes it" | "resets it";

/** What it answers with. */
export interface HastyAnswer {
  readonly status: number;
  readonly body: string;
  readonly end: HastyEnd;
  /** Called in the turn in which the connection was left: what is written to it from now on fails, and the answer was not read yet. */
  readonly onLeft?: () => void;
}

/** An HTTP server that answers each request when it has read its headers, reads no byte of its body, and leaves. */
export class HastyServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  answer: HastyAnswer = { status: 403, body: "no", end: "closes it" };
  /** Headers of requests that were answered. */
  readonly heads: string[] = [];

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async listen(): Promise<HastyServer> {
    const server = new HastyServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get port(): number {
    // A TCP server has an address object once it listens.
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
    let head = "";
    socket.on("data", (piece) => {
      head += piece.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.heads.push(head.slice(0, end));
      socket.removeAllListeners("data").pause();
      this.#answer(socket);
    });
  }

  #answer(socket: Socket): void {
    const { status, body, end, onLeft } = this.answer;
    const lines = [
      `HTTP/1.1 ${status} Early`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`, () => {
      if (end === "closes it") socket.destroy();
      if (end === "resets it") socket.resetAndDestroy();
      onLeft?.();
    });
  }
}
