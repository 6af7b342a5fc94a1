import { TerminalInputSchema, TerminalOutputSchema, type OpenTerminalResponse, type TerminalInput } from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { WebSocket } from "undici";

import type { DashboardSession } from "../support/dashboard-client.ts";

/** Output that a page takes before it grants more. */
const CREDIT = 64 * 1024;
const ANSWER_MS = 30_000;

/** A page's side of a terminal over the socket of the dashboard, without the drawing. */
export class PageTerminal {
  readonly #socket: WebSocket;
  #text = "";
  #end = "";
  #inputCredit = 0;
  #changed: () => void = () => undefined;

  /** @param opened the ticket, of the same session */
  constructor({ origin, cookie }: DashboardSession, { ticket }: Pick<OpenTerminalResponse, "ticket">) {
    this.#socket = new WebSocket(`${origin.replace(/^http/, "ws")}/api/socket`, {
      protocols: ["binnacle.v1", `ticket.${ticket}`],
      headers: { cookie, origin },
    });
    this.#socket.binaryType = "arraybuffer";
    this.#socket.addEventListener("open", () => this.#send({ case: "credit", value: CREDIT }));
    this.#socket.addEventListener("close", ({ code }) => this.#ended(`closed with ${code}`));
    this.#socket.addEventListener("error", () => this.#ended("refused or broken"));
    this.#socket.addEventListener("message", ({ data }) => {
      if (data instanceof ArrayBuffer) this.#take(new Uint8Array(data));
    });
  }

  /** Types a text and waits until what is shown since fits. @throws when it does not after 30 s, or when the terminal ends */
  async type(text: string, fits: RegExp): Promise<void> {
    const typed = Buffer.from(text);
    await this.#until(() => this.#inputCredit >= typed.length);
    this.#inputCredit -= typed.length;
    this.#text = "";
    this.#send({ case: "stdin", value: typed });
    await this.#until(() => fits.test(this.#text));
  }

  close(): void {
    this.#socket.close();
  }

  #take(data: Uint8Array): void {
    const { message } = fromBinary(TerminalOutputSchema, data);
    if (message.case === "stdout") {
      this.#text += Buffer.from(message.value).toString("utf8");
      this.#send({ case: "credit", value: message.value.length });
    } else if (message.case === "credit") this.#inputCredit += message.value;
    else if (message.case === "ended") this.#ended(`it ended: ${JSON.stringify(message.value.words?.id ?? message.value.end)}`);
    this.#changed();
  }

  #ended(how: string): void {
    this.#end ||= how;
    this.#changed();
  }

  async #until(isSo: () => boolean): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`a terminal shows ${JSON.stringify(this.#text.slice(-200))}`)), ANSWER_MS);
    });
    try {
      while (!isSo()) {
        if (this.#end !== "") throw new Error(`a terminal: ${this.#end}`);
        await Promise.race([late, new Promise<void>((resolve) => (this.#changed = resolve))]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #send(message: TerminalInput["message"]): void {
    this.#socket.send(toBinary(TerminalInputSchema, create(TerminalInputSchema, { message })));
  }
}
