import type { IncomingMessage } from "node:http";

import {
  TerminalInputSchema,
  TerminalOutputSchema,
  type OpenTerminalResponse,
  type TerminalEnded,
  type TerminalInput,
} from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { WebSocket } from "ws";

import { ORIGIN } from "../config/testing/stand-in-config.ts";

/** Differences from one of our pages with the maintainer's session. */
export interface TerminalPageOptions {
  readonly cookie?: string;
  /** `undefined`: the header is not sent. */
  readonly origin?: string | undefined;
  readonly path?: string;
  readonly protocols?: readonly string[];
  /** Output that it takes at first. */
  readonly credit?: number;
  /** It takes more as soon as something has come. */
  readonly takesMore?: boolean;
}

/** A page's side of a terminal. */
export class TerminalPage {
  /** What the shell wrote. */
  text = "";
  /** Bytes of it. */
  outputBytes = 0;
  /** Input that was granted and not used. */
  inputCredit = 0;
  readonly shells: string[] = [];
  ended: TerminalEnded | undefined;
  /** Close code, once it is closed. */
  code: number | undefined;
  readonly protocol: Promise<string>;
  /** Status of a response that is no 101. */
  rejectedStatus: number | undefined;
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  /** @param address host:port of the dashboard */
  constructor(address: string, { ticket }: Pick<OpenTerminalResponse, "ticket">, options: TerminalPageOptions = {}) {
    const { cookie = "_gitlab_session=session-maintainer", path = "/api/socket", credit = 64 * 1024, takesMore = true } = options;
    const origin = "origin" in options ? options.origin : ORIGIN;
    const protocols = options.protocols ?? ["binnacle.v1", `ticket.${ticket}`];
    this.#socket = new WebSocket(`ws://${address}${path}`, [...protocols], {
      headers: { cookie, ...(origin !== undefined && { origin }) },
    });
    const socket = this.#socket;
    socket.binaryType = "nodebuffer";
    this.protocol = new Promise((resolve) => socket.once("open", () => resolve(socket.protocol)));
    socket.on("open", () => this.send({ case: "credit", value: credit }));
    socket.on("message", (data: Buffer) => {
      const { message } = fromBinary(TerminalOutputSchema, data);
      if (message.case === "stdout") {
        this.text += Buffer.from(message.value).toString("utf8");
        this.outputBytes += message.value.length;
        if (takesMore) this.send({ case: "credit", value: message.value.length });
      } else if (message.case === "credit") this.inputCredit += message.value;
      else if (message.case === "started") this.shells.push(message.value.shell);
      else if (message.case === "ended") this.ended = message.value;
      this.#changed();
    });
    socket.on("unexpected-response", (request, response: IncomingMessage) => {
      this.rejectedStatus = response.statusCode;
      response.resume();
      request.destroy();
      this.#changed();
    });
    socket.on("error", () => this.#changed());
    socket.on("close", (code) => {
      this.code = code;
      this.#changed();
    });
  }

  /** Settles when that is so. @throws Error when the socket is closed before */
  async until(wanted: () => boolean): Promise<void> {
    while (!wanted()) {
      if (this.code !== undefined) throw new Error(`closed with ${this.code} after ${JSON.stringify(this.text.slice(-500))}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Settles with the close code, or the status of a handshake that was rejected. */
  async end(): Promise<number> {
    while (this.code === undefined && this.rejectedStatus === undefined) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    return this.rejectedStatus ?? this.code ?? 0;
  }

  /** Types when it may, and waits for what is shown then. */
  async type(text: string, shown: string): Promise<void> {
    await this.until(() => this.inputCredit >= text.length);
    this.inputCredit -= text.length;
    this.send({ case: "stdin", value: Buffer.from(text) });
    await this.until(() => this.text.includes(shown));
  }

  send(message: MessageInitShape<typeof TerminalInputSchema>["message"] & object): void {
    const input: TerminalInput = create(TerminalInputSchema, { message });
    this.sendBytes(toBinary(TerminalInputSchema, input));
  }

  sendBytes(bytes: Uint8Array): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(bytes);
  }

  /** Disconnects without a close frame. */
  cut(): void {
    this.#socket.terminate();
  }

  #changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
