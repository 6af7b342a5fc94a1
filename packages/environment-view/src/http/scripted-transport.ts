import { checkRequest } from "./checked-request.ts";
import type { KubeBody, KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";

/** An answer as a test writes it down. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; texts as they are. */
  readonly body?: unknown;
  /** Sent piece by piece instead of a body, each when it is read; an Error breaks off, and there may be no end. */
  readonly pieces?: Iterable<string | Error>;
  /** There is no answer. */
  readonly failure?: Error;
}

/** For tests: a transport that answers from a function and records the requests and the bodies that were not read to the end. */
export class ScriptedTransport implements KubeTransport {
  readonly requests: KubeRequest[] = [];
  /** What came up with each of them, streamed or not. */
  readonly uploads: string[] = [];
  /** Answers that were given up before their end. */
  closed = 0;
  /** Characters that were read of all bodies. */
  sent = 0;
  readonly #answer: (request: KubeRequest) => ScriptedAnswer;

  constructor(answer: (request: KubeRequest) => ScriptedAnswer) {
    this.#answer = answer;
  }

  async request(request: KubeRequest): Promise<KubeResponse> {
    checkRequest(request);
    this.requests.push(request);
    this.uploads.push(await textOf(request.body ?? ""));
    const { status = 200, headers = {}, body, pieces, failure } = this.#answer(request);
    if (failure) throw failure;
    const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
    return {
      status,
      header: (name) => headers[name.toLowerCase()],
      body: this.#bytesOf(pieces ?? [text]),
      close: () => {
        this.closed += 1;
      },
    };
  }

  async *#bytesOf(pieces: Iterable<string | Error>): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      this.sent += piece.length;
      yield await Promise.resolve(new TextEncoder().encode(piece));
    }
  }
}

async function textOf(body: KubeBody): Promise<string> {
  if (typeof body === "string") return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
