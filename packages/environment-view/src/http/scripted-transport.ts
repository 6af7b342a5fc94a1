import type { KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";

/** An answer as a test writes it down. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; texts as they are. */
  readonly body?: unknown;
  /** Sent piece by piece instead of a body, each when it is read; an Error breaks off, and there may be no end. */
  readonly pieces?: Iterable<string | Error>;
}

/** For tests: a transport that answers from a function, and remembers what it was asked and what was left open. */
export class ScriptedTransport implements KubeTransport {
  readonly asked: KubeRequest[] = [];
  /** Answers that were given up before their end. */
  closed = 0;
  /** Characters that were read of all bodies. */
  sent = 0;
  readonly #answer: (request: KubeRequest) => ScriptedAnswer;

  constructor(answer: (request: KubeRequest) => ScriptedAnswer) {
    this.#answer = answer;
  }

  request(request: KubeRequest): Promise<KubeResponse> {
    this.asked.push(request);
    const { status = 200, headers = {}, body, pieces } = this.#answer(request);
    const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
    return Promise.resolve({
      status,
      header: (name) => headers[name.toLowerCase()],
      body: this.#bytesOf(pieces ?? [text]),
      close: () => {
        this.closed += 1;
      },
    });
  }

  async *#bytesOf(pieces: Iterable<string | Error>): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      this.sent += piece.length;
      yield await Promise.resolve(new TextEncoder().encode(piece));
    }
  }
}
