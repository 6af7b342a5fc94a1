import { randomUUID } from "node:crypto";

import { createStatus, parseStatus, type KubernetesStatus } from "@binnacle/kube";

import type { AnswerHead, ExchangeFailure, HttpExchange, HttpExchangeSink, HttpExchangeVia } from "../../http-exchange/http-exchange.ts";
import { openHttpExchange } from "../../http-exchange/open-http-exchange.ts";
import type { RequestAudit } from "../../audit/request-audit.ts";
import type { ProxyAccess } from "../access/proxy-access.ts";
import { ProxyRefusal, refusalOf, refusalOfFailure } from "../http/proxy-refusal.ts";
import type { WatchRequest, WatchUpstream } from "./watch-upstream.ts";

/** What may wait for a slow reader in this process; the rest waits in the HTTP/2 window of the tunnel. */
const BUFFER_BYTES = 256 * 1024;
/** A `Status` is shorter. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** How to reach the caller's agent. */
export interface RoutedWatchOptions {
  readonly via: HttpExchangeVia;
  /** How long a watch waits for a tunnel. */
  readonly waitMs: number;
  /** The caller's rights as they are now: a socket may outlive them. @throws ProxyRefusal */
  readonly authorize: (signal: AbortSignal) => Promise<ProxyAccess>;
  /** The record of a watch that begins. @param request undefined for one that could not be parsed */
  readonly record: (requestId: string, request: WatchRequest | undefined, isStream: boolean) => RequestAudit;
}

/** Watches through the agent's tunnel, as the caller. */
export function routedWatch(options: RoutedWatchOptions): WatchUpstream {
  return {
    refused: (code, request) => options.record(randomUUID(), request, false).finish(code),
    async *watch(request, signal) {
      const traceId = randomUUID();
      const record = options.record(traceId, request, true);
      let code = CLIENT_LEFT;
      // Both ways out end the exchange: the caller's signal, and a reader that stops reading.
      const stop = new AbortController();
      const ended = AbortSignal.any([signal, stop.signal]);
      const answer = new WatchAnswer();
      try {
        const exchange = await open(options, { request, traceId, signal: ended, answer }).catch((error: unknown) => {
          throw signal.aborted ? error : refusalOf(error);
        });
        record.counts(exchange);
        answer.attach(exchange);
        const cancel = (): void => {
          exchange.cancel();
          answer.cut(ended.reason);
        };
        ended.addEventListener("abort", cancel, { once: true });
        if (ended.aborted) cancel();
        yield* answer.bytes;
      } catch (error) {
        if (error instanceof ProxyRefusal) ({ code } = error);
        throw error;
      } finally {
        record.finish(answer.status ?? code);
        stop.abort(READ_NO_MORE);
      }
    },
  };
}

const CLIENT_LEFT = 499;
const READ_NO_MORE = new Error("the watch has no reader any more");

async function open(
  { via, waitMs, authorize }: RoutedWatchOptions,
  watch: {
    readonly request: WatchRequest;
    readonly traceId: string;
    readonly signal: AbortSignal;
    readonly answer: WatchAnswer;
  },
): Promise<HttpExchange> {
  const { request, traceId, signal, answer } = watch;
  const { agentId, caller, identity } = await authorize(signal);
  const context = { caller, traceId, class: "watch", waitMs } as const;
  const header = { accept: { value: ["application/json"] } };
  return openHttpExchange(
    via,
    { agentId, context, signal, method: "GET", path: request.path, query: request.query, header, ...(identity && { identity }) },
    answer,
  );
}

/** The answer to one watch: its bytes after a 200 of the cluster, its refusal otherwise. */
class WatchAnswer implements HttpExchangeSink {
  readonly bytes: ReadableStream<Uint8Array>;
  readonly #refusal: Uint8Array[] = [];
  #refusalBytes = 0;
  #status = 0;
  #over = false;
  #exchange: HttpExchange | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.bytes = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#exchange?.resume(),
      },
      { highWaterMark: BUFFER_BYTES, size: (chunk) => chunk.byteLength },
    );
  }

  /** What the cluster has answered; undefined before it did. */
  get status(): number | undefined {
    return this.#status === 0 ? undefined : this.#status;
  }

  /** The exchange that feeds this answer. It may have begun to answer already. */
  attach(exchange: HttpExchange): void {
    this.#exchange = exchange;
    if ((this.#controller?.desiredSize ?? 0) > 0) exchange.resume();
  }

  header({ status }: AnswerHead): void {
    this.#status = status;
  }

  data(view: Uint8Array): boolean {
    if (this.#over) return true;
    // The view is only good until the sink returns.
    const bytes = view.slice();
    if (this.#status !== 200) {
      this.#refusalBytes += bytes.length;
      if (this.#refusalBytes <= MAX_REFUSAL_BYTES) this.#refusal.push(bytes);
      return true;
    }
    this.#controller?.enqueue(bytes);
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  end(): void {
    if (this.#over) return;
    if (this.#status !== 200) return this.cut(this.#refused());
    this.#over = true;
    this.#controller?.close();
  }

  fail(failure: ExchangeFailure): void {
    this.cut(refusalOfFailure(failure, "watch"));
  }

  /** Ends the answer with an error, once. */
  cut(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.error(error);
  }

  #refused(): Error & { readonly status: KubernetesStatus } {
    const status = this.#statusOfBody() ?? createStatus(this.#status, `the cluster answered ${this.#status}`);
    return Object.assign(new Error(status.message), { status });
  }

  #statusOfBody(): KubernetesStatus | undefined {
    try {
      return parseStatus(JSON.parse(Buffer.concat(this.#refusal).toString()));
    } catch {
      return undefined; // no JSON: the code must do
    }
  }
}
