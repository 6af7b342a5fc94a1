import type { ServerHttp2Stream } from "node:http2";

import { Fault } from "@binnacle/rpc";

/** One for all: an `AbortError` of its own would cost a stack trace per stream. */
const GONE = new Fault("cancelled", "the client left");

/** Whether the client of a stream has left. The signal is made for whoever asks for it: most streams are answered at once. */
export class StreamDeparture {
  readonly #stream: ServerHttp2Stream;
  #controller: AbortController | undefined;
  #leave: (() => void) | undefined;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  get left(): boolean {
    const { aborted, closed, destroyed } = this.#stream;
    return aborted || closed || destroyed;
  }

  /** Nobody asks any more. */
  forget(): void {
    if (this.#leave) this.#stream.off("aborted", this.#leave).off("close", this.#leave);
  }

  /** Aborted when the client has left. */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    const leave = (): void => controller.abort(GONE);
    if (this.left) leave();
    else this.#stream.once("aborted", leave).once("close", leave);
    this.#leave = leave;
    this.#controller = controller;
    return controller.signal;
  }
}
