import { randomUUID } from "node:crypto";

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { automatonOf, StreamAutomaton } from "@binnacle/grpc-wire";
import { createStatus, parseStatus, type KubernetesStatus } from "@binnacle/kube";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";

import { MAKE_REQUEST } from "../make-request-method.ts";
import type { AgentCall, AgentCallListener, AgentRouter, CallResult } from "../../agent-call/agent-call.ts";
import { encodeRequestHeader } from "../proxied-request.ts";
import type { ProxyAccess } from "../proxy-access.ts";
import { ProxyRefusal, refusalOf } from "../proxy-refusal.ts";
import type { WatchRequest, WatchUpstream } from "./watch-upstream.ts";

const TABLE = automatonOf(HttpResponseSchema);
const TRAILER = toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "trailer", value: {} } }));
/** What may wait for a slow reader in this process; the rest waits in the HTTP/2 window of the tunnel. */
const BUFFER_BYTES = 256 * 1024;
/** A `Status` is shorter. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** How to reach the caller's agent. */
export interface RoutedWatchOptions {
  readonly router: AgentRouter;
  /** How long a watch waits for a tunnel. */
  readonly waitMs: number;
  /** The caller's rights as they are now: a socket outlives changes of roles. @throws ProxyRefusal */
  readonly authorize: (signal: AbortSignal) => Promise<ProxyAccess>;
}

/** Watches through the agent's tunnel, as the caller. */
export function routedWatch(options: RoutedWatchOptions): WatchUpstream {
  return {
    async *watch(request, signal) {
      // Both ways out end the call: the caller's signal, and a reader that stops reading.
      const stop = new AbortController();
      const ended = AbortSignal.any([signal, stop.signal]);
      const answer = new WatchAnswer();
      try {
        const call = await open(options, { request, signal: ended, answer }).catch((error: unknown) => {
          throw signal.aborted ? error : refusalOf(error);
        });
        answer.attach(call);
        const cancel = (): void => {
          call.cancel();
          answer.cut(ended.reason);
        };
        ended.addEventListener("abort", cancel, { once: true });
        if (ended.aborted) cancel();
        yield* answer.bytes;
      } finally {
        stop.abort();
      }
    },
  };
}

async function open(
  { router, waitMs, authorize }: RoutedWatchOptions,
  watch: { readonly request: WatchRequest; readonly signal: AbortSignal; readonly answer: AgentCallListener },
): Promise<AgentCall> {
  const { request, signal, answer } = watch;
  const { agentId, caller, identity } = await authorize(signal);
  const context = { caller, traceId: randomUUID(), class: "watch", waitMs } as const;
  const call = await router.open(
    { agentId, method: MAKE_REQUEST, impersonation: identity !== undefined, context, metadata: new Map(), signal },
    answer,
  );
  call.write([encodeRequestHeader({ method: "GET", target: request, header: { accept: { value: ["application/json"] } } }, identity)]);
  call.write([TRAILER]);
  call.closeSend();
  return call;
}

/** The answer to one watch: its bytes once the cluster has said 200, its refusal otherwise. */
class WatchAnswer implements AgentCallListener {
  readonly bytes: ReadableStream<Uint8Array>;
  readonly #order = new StreamAutomaton(TABLE);
  readonly #refusal: Uint8Array[] = [];
  #refusalBytes = 0;
  #status = 0;
  #complete = false;
  #over = false;
  #call: AgentCall | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.bytes = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#call?.resume(),
      },
      { highWaterMark: BUFFER_BYTES, size: (chunk) => chunk.byteLength },
    );
  }

  /** The call that feeds this answer. It may have begun to answer already. */
  attach(call: AgentCall): void {
    this.#call = call;
    if ((this.#controller?.desiredSize ?? 0) <= 0) call.pause();
  }

  header(): void {
    // The gRPC header says nothing: status and headers of HTTP come as a message.
  }

  message(data: Uint8Array): void {
    if (this.#over) return;
    try {
      this.#read(data);
    } catch (error) {
      this.cut(new ProxyRefusal(502, `the watch broke on its way: ${error instanceof Error ? error.message : String(error)}`));
      this.#call?.cancel();
    }
  }

  end({ code, message }: CallResult): void {
    if (this.#over) return;
    if (code !== 0) return this.cut(new ProxyRefusal(502, `the watch broke on its way: ${message}`));
    if (!this.#complete) return this.cut(new ProxyRefusal(502, "the agent ended the watch early"));
    if (this.#status !== 200) return this.cut(this.#refused());
    this.#over = true;
    this.#controller?.close();
  }

  /** Ends the answer with an error, once. */
  cut(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.error(error);
  }

  #read(data: Uint8Array): void {
    const { message } = fromBinary(HttpResponseSchema, data);
    switch (message.case) {
      case "header":
        this.#order.check(1);
        this.#status = message.value.response?.statusCode ?? 0;
        return undefined;
      case "data":
        this.#order.check(2);
        return this.#take(message.value.data);
      case "trailer":
        this.#order.check(3);
        this.#complete = true;
        return undefined;
      default:
        throw new Error("the agent sent a frame that was not asked for");
    }
  }

  #take(view: Uint8Array): void {
    if (view.length === 0) return;
    // The view is only good until the listener returns.
    const bytes = view.slice();
    if (this.#status !== 200) {
      this.#refusalBytes += bytes.length;
      if (this.#refusalBytes <= MAX_REFUSAL_BYTES) this.#refusal.push(bytes);
      return;
    }
    this.#controller?.enqueue(bytes);
    if ((this.#controller?.desiredSize ?? 0) <= 0) this.#call?.pause();
  }

  #refused(): Error & { readonly status: KubernetesStatus } {
    const status = this.#said() ?? createStatus(this.#status, `the cluster answered ${this.#status}`);
    return Object.assign(new Error(status.message), { status });
  }

  #said(): KubernetesStatus | undefined {
    try {
      return parseStatus(JSON.parse(Buffer.concat(this.#refusal).toString()));
    } catch {
      return undefined; // no JSON: the code must do
    }
  }
}
