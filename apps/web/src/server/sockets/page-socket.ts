import type { Clock } from "@binnacle/rpc";
import type { RawData, WebSocket } from "ws";

/** Close codes of the sockets of pages. From 4400 on they are ours. */
export const CLOSE = {
  done: 1000,
  protocol: 1002,
  failed: 1011,
  restart: 1012,
  signedOut: 4401,
  withdrawn: 4403,
  idle: 4408,
} as const;

/** A browser that answers no ping for so long has disconnected. */
const PING_MS = 30_000;
/** A browser that sends and does not read is cut off when so much waits for it. */
const MAX_WAITING_BYTES = 256 * 1024;

/** What comes from a page. */
export interface PageSocketEvents {
  /** A whole message. */
  received(message: Buffer): void;
  /** The page has disconnected, or is cut off: nothing is sent any more. */
  closed(): void;
}

/** A WebSocket of a page: binary messages, pings, and an end with a code. */
export class PageSocket {
  readonly #socket: WebSocket;
  readonly #cancelPing: () => void;

  constructor(socket: WebSocket, { clock, events }: { readonly clock: Clock; readonly events: PageSocketEvents }) {
    this.#socket = socket;
    socket.binaryType = "nodebuffer";
    let isAlive = true;
    let cancel = (): void => {};
    const ping = (): void => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
      cancel = clock.after(PING_MS, ping);
    };
    cancel = clock.after(PING_MS, ping);
    this.#cancelPing = () => cancel();
    socket.on("pong", () => (isAlive = true));
    const checkReader = (): void => {
      if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
    };
    // `ws` answers each with a pong.
    socket.on("ping", checkReader);
    socket.on("message", (data: RawData, isBinary: boolean) => {
      isAlive = true;
      checkReader();
      // Set by binaryType.
      if (isBinary) events.received(data as Buffer);
      else this.close(CLOSE.protocol);
    });
    // The end that follows is what counts.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      cancel();
      events.closed();
    });
  }

  send(message: Uint8Array): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message);
  }

  /** Ends it after what was sent; a browser that does not answer is cut off by `ws` after 30 s. */
  close(code: number): void {
    this.#cancelPing();
    this.#socket.close(code);
  }
}
