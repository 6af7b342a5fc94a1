import type { Values } from "@binnacle/proto/prototool";
import { Fault } from "@binnacle/rpc";

/** Headers as the agent sends them: any spelling, any number of values. */
export type AnswerHeader = Readonly<Record<string, Pick<Values, "value">>>;

const CONTENT_LENGTH = "content-length";

/**
 * Length the answer announces; undefined when it announces none.
 *
 * @throws Fault `answer_broken` for a length that is no number, or two that differ (RFC 9112 §6.3)
 */
export function announcedLength(header: AnswerHeader): number | undefined {
  let length: string | undefined;
  for (const name in header) {
    if (name.length !== CONTENT_LENGTH.length || name.toLowerCase() !== CONTENT_LENGTH) continue;
    for (const line of header[name]?.value ?? [])
      for (const part of line.includes(",") ? line.split(",") : [line]) {
        const text = part.trim();
        if (!/^\d{1,15}$/.test(text) || (length !== undefined && Number(length) !== Number(text)))
          throw new Fault("answer_broken", "the agent announced a length of its answer that is none");
        length = text;
      }
  }
  return length === undefined ? undefined : Number(length);
}

/** Whether a body may follow (RFC 9110 §6.4.1). */
function hasBody(method: string, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

/**
 * Counts a body against the length its answer announced. One byte too many would be read as the next answer on the client's
 * connection, perhaps by another user; one too few makes the client wait for ever.
 */
export class BodyLength {
  readonly #expected: number | undefined;
  #received = 0;

  constructor(answer: { readonly method: string; readonly status: number; readonly announced: number | undefined }) {
    this.#expected = hasBody(answer.method, answer.status) ? answer.announced : 0;
  }

  /** @throws Fault `answer_broken` when these bytes do not belong to the answer any more */
  add(bytes: number): void {
    this.#received += bytes;
    if (this.#expected !== undefined && this.#received > this.#expected)
      throw new Fault("answer_broken", `the agent answered more than the ${this.#expected} bytes it may`);
  }

  /** All bytes that were announced have come. False when none were announced. */
  get isComplete(): boolean {
    return this.#expected !== undefined && this.#received === this.#expected;
  }

  /** @throws Fault `answer_broken` when bytes are missing */
  end(): void {
    if (this.#expected !== undefined && this.#received < this.#expected)
      throw new Fault("answer_broken", `the agent announced ${this.#expected} bytes and answered ${this.#received}`);
  }
}
