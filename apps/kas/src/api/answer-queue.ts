import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { HttpResponseSchema, type HttpResponse } from "@binnacle/proto/grpctool";

import type { AnswerHead, ExchangeFailure, HttpExchange, HttpExchangeSink } from "../http-exchange/http-exchange.ts";
import { headersForClient } from "../kubernetes-api/http/response-headers.ts";

/** More than this does not wait for its reader. */
const MAX_WAITING_BYTES = 256 * 1024;

/** Hands an answer to a reader that asks for one message after the other. */
export class AnswerQueue implements HttpExchangeSink {
  readonly #waiting: HttpResponse[] = [];
  #bytes = 0;
  #status: number | undefined;
  #end: { readonly error?: Error } | undefined;
  #exchange: HttpExchange | undefined;
  #wake: () => void = () => undefined;

  /** HTTP status of the answer; undefined before it has begun. */
  get status(): number | undefined {
    return this.#status;
  }

  /** Bytes that wait for their reader. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What feeds it. */
  attach(exchange: HttpExchange): void {
    this.#exchange = exchange;
    if (this.#bytes < MAX_WAITING_BYTES) exchange.resume();
  }

  header({ status, header, contentLength }: AnswerHead): void {
    this.#status = status;
    const passed: Record<string, { value: string[] }> = {};
    for (const [name, value] of Object.entries(headersForClient(header, "/", true)))
      if (value !== undefined) passed[name] = { value: [value].flat().map(String) };
    if (contentLength !== undefined) passed["content-length"] = { value: [String(contentLength)] };
    this.#push({ case: "header", value: { response: { statusCode: status, header: passed } } }, 0);
  }

  data(body: Uint8Array): boolean {
    this.#push({ case: "data", value: { data: Uint8Array.from(body) } }, body.byteLength);
    return this.#bytes < MAX_WAITING_BYTES;
  }

  end(): void {
    this.#push({ case: "trailer", value: {} }, 0);
    this.#finish({});
  }

  fail({ fault }: ExchangeFailure): void {
    this.break(fault);
  }

  /** The rest does not come; what waits is not read any more. */
  break(error: Error): void {
    this.#waiting.length = 0;
    this.#exchange?.cancel();
    this.#finish({ error });
  }

  /** The messages in their order. @throws what `break` was given, or the failure of the exchange */
  async *messages(): AsyncGenerator<HttpResponse> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next;
        if (next.message.case === "data") this.#bytes -= next.message.value.data.byteLength;
        if (this.#bytes < MAX_WAITING_BYTES) this.#exchange?.resume();
      } else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }

  #push(message: NonNullable<MessageInitShape<typeof HttpResponseSchema>["message"]>, bytes: number): void {
    this.#waiting.push(create(HttpResponseSchema, { message }));
    this.#bytes += bytes;
    this.#wake();
  }

  #finish(end: { readonly error?: Error }): void {
    this.#end ??= end;
    this.#wake();
  }
}
