import type { IncomingMessage } from "node:http";

import { LogsInputSchema, LogsOutputSchema, type LogsEnded, type LogsOutput } from "@binnacle/proto/dashboard-logs";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { WebSocket } from "ws";

import type { LogsWebSocket } from "../../features/logs/read/logs-socket.ts";
import { ORIGIN } from "../config/testing/stand-in-config.ts";

/** What a page sends. */
export type InputMessage = MessageInitShape<typeof LogsInputSchema>["message"] & object;

/** Differences from one of our pages. */
export interface LogsPageOptions {
  readonly cookie: string;
  /** `undefined`: the header is not sent. Default: ours. */
  readonly origin?: string | undefined;
  readonly protocols?: readonly string[];
}

/** A page's end of a socket of logs: as a browser's WebSocket, and message by message. */
export class LogsPage extends EventTarget implements LogsWebSocket {
  binaryType: BinaryType = "arraybuffer";
  readonly received: LogsOutput[] = [];
  /** Of all messages. */
  receivedBytes = 0;
  ended: LogsEnded | undefined;
  /** Close code, once it is closed. */
  code: number | undefined;
  /** Status of a response that is no 101. */
  rejectedStatus: number | undefined;
  readonly #socket: WebSocket;

  /** @param address host:port of the dashboard */
  constructor(address: string, ticket: string, options: LogsPageOptions) {
    super();
    const { cookie, protocols = ["binnacle.v1", `ticket.${ticket}`] } = options;
    const origin = "origin" in options ? options.origin : ORIGIN;
    const headers = { cookie, ...(origin !== undefined && { origin }) };
    this.#socket = new WebSocket(`ws://${address}/api/socket`, [...protocols], { headers });
    const socket = this.#socket;
    socket.binaryType = "nodebuffer";
    socket.on("open", () => this.dispatchEvent(new Event("open")));
    socket.on("message", (data: Buffer) => {
      this.receivedBytes += data.length;
      const output = fromBinary(LogsOutputSchema, data);
      this.received.push(output);
      if (output.message.case === "ended") this.ended = output.message.value;
      this.dispatchEvent(new MessageEvent("message", { data: Uint8Array.from(data).buffer }));
    });
    socket.on("unexpected-response", (request, response: IncomingMessage) => {
      this.rejectedStatus = response.statusCode;
      response.resume();
      request.destroy();
      this.#closed(1006);
    });
    // The end that follows is what counts.
    socket.on("error", () => undefined);
    socket.on("close", (code) => this.#closed(code));
  }

  #closed(code: number): void {
    if (this.code !== undefined) return;
    this.code = code;
    this.dispatchEvent(new CloseEvent("close", { code }));
  }

  get readyState(): WebSocket["readyState"] {
    return this.#socket.readyState;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Settles with the close code, or the status of a handshake that was rejected. */
  async end(): Promise<number> {
    if (this.code === undefined) await new Promise((resolve) => this.addEventListener("close", resolve, { once: true }));
    return this.rejectedStatus ?? this.code ?? 0;
  }

  /** Settles when that is so. @throws Error when the socket is closed before */
  async until(wanted: () => boolean): Promise<void> {
    while (!wanted()) {
      if (this.code !== undefined) throw new Error(`closed with ${this.code}`);
      // oxlint-disable-next-line no-await-in-loop -- until it is so
      await new Promise<void>((resolve) => {
        for (const event of ["open", "message", "close"]) this.addEventListener(event, () => resolve(), { once: true });
      });
    }
  }

  /** Sends messages, once it is open. */
  async put(...messages: readonly InputMessage[]): Promise<void> {
    await this.until(() => this.isOpen);
    for (const message of messages) this.send(toBinary(LogsInputSchema, create(LogsInputSchema, { message })));
  }

  send(data: string | Blob | ArrayBufferLike | ArrayBufferView): void {
    if (this.isOpen && !(data instanceof Blob)) this.#socket.send(data);
  }

  close(code?: number): void {
    this.#socket.close(code);
  }

  /** Disconnects without a close frame. */
  cut(): void {
    this.#socket.terminate();
  }
}
