import { TerminalInputSchema, TerminalOutputSchema, type TerminalEnded } from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";

/** The server counts no more. */
const WINDOW_BYTES = 64 * 1024;
/** Granted again in pieces of this size, not for each message. */
const GRANT_BYTES = 16 * 1024;
const MAX_STDIN_BYTES = 16 * 1024;
/** Of input that waits: more than is typed, and most of what is pasted. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** What is used of a WebSocket. */
export type TerminalSocket = Pick<WebSocket, "binaryType" | "readyState" | "send" | "close" | "addEventListener">;

/** In characters. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** What comes from a terminal. */
export interface TerminalEvents {
  /** A shell runs: it can be typed. */
  started(shell: string): void;
  /** @param taken to be called when they are on the screen: not before more comes than the window has */
  output(bytes: Uint8Array, taken: () => void): void;
  /** Called once. `undefined`: the connection has broken, or there was none. */
  ended(ended: TerminalEnded | undefined, hadOpened: boolean): void;
}

/** The page's side of a terminal: input within what the server has granted, output within what the page has. */
export class TerminalConnection {
  readonly #socket: TerminalSocket;
  readonly #events: TerminalEvents;
  #hasOpened = false;
  #ended: TerminalEnded | undefined;
  #isOver = false;
  #inputCredit = 0;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Output that is on the screen, and was not granted again. */
  #taken = 0;

  constructor(socket: TerminalSocket, events: TerminalEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => {
      this.#hasOpened = true;
      this.#send({ case: "credit", value: WINDOW_BYTES });
    });
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data instanceof ArrayBuffer) this.#receive(new Uint8Array(data));
    });
    socket.addEventListener("close", () => this.#end());
  }

  /** What waits beyond 1 MiB is dropped. */
  type(bytes: Uint8Array): void {
    if (this.#isOver || this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#flush();
  }

  resize(size: ScreenSize): void {
    this.#send({ case: "resize", value: size });
  }

  /** Ends the terminal; no event follows. */
  close(): void {
    this.#isOver = true;
    this.#socket.close(1000);
  }

  #receive(bytes: Uint8Array): void {
    const { message } = fromBinary(TerminalOutputSchema, bytes);
    switch (message.case) {
      case "stdout":
        if (!this.#isOver) this.#events.output(message.value, () => this.#grant(message.value.length));
        return;
      case "started":
        if (!this.#isOver) this.#events.started(message.value.shell);
        return;
      case "credit":
        this.#inputCredit += message.value;
        return this.#flush();
      case "ended":
        this.#ended = message.value;
        return;
      case undefined:
        return; // of a newer server
    }
  }

  #grant(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < GRANT_BYTES) return;
    this.#send({ case: "credit", value: this.#taken });
    this.#taken = 0;
  }

  #flush(): void {
    while (this.#inputCredit > 0) {
      const first = this.#waiting.shift();
      if (first === undefined) return;
      const size = Math.min(first.length, this.#inputCredit, MAX_STDIN_BYTES);
      if (size < first.length) this.#waiting.unshift(first.subarray(size));
      this.#inputCredit -= size;
      this.#waitingBytes -= size;
      this.#send({ case: "stdin", value: first.subarray(0, size) });
    }
  }

  #send(message: MessageInitShape<typeof TerminalInputSchema>["message"] & object): void {
    if (this.#socket.readyState === 1) this.#socket.send(toBinary(TerminalInputSchema, create(TerminalInputSchema, { message })));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.ended(this.#ended, this.#hasOpened);
  }
}
