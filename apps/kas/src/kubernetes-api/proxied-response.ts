import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

import { fromBinary } from "@bufbuild/protobuf";
import { automatonOf, HTTP_RESPONSE_DATA, StreamAutomaton, TURN_BYTES, unwrapBytes } from "@binnacle/grpc-wire";
import { HttpResponseSchema } from "@binnacle/proto/grpctool";

import type { AgentCall, AgentCallListener, CallResult } from "../agent-call/agent-call.ts";
import { ProxyRefusal } from "./proxy-refusal.ts";
import { headersForClient } from "./response-headers.ts";

const TABLE = automatonOf(HttpResponseSchema);
const HEADER = 1;
const DATA = 2;
const TRAILER = 3;

/** What a response needs from its exchange. */
export interface ProxiedResponseOptions {
  readonly response: ServerResponse;
  /** Headers of ours: CORS, request id, configuration error. */
  readonly headers: () => OutgoingHttpHeaders;
  /** Answers with a refusal, when nothing was sent yet. */
  readonly refuse: (refusal: ProxyRefusal) => void;
}

/**
 * Writes what the agent answers to the client: the header at once, every frame at once, no more than 128 KiB per turn, and nothing
 * while the client does not read. What waits meanwhile, waits in the HTTP/2 window of the tunnel.
 */
export class ProxiedResponse implements AgentCallListener {
  readonly #options: ProxiedResponseOptions;
  readonly #order = new StreamAutomaton(TABLE);
  #call: AgentCall | undefined;
  #paused = false;
  #spent = 0;
  #complete = false;

  constructor(options: ProxiedResponseOptions) {
    this.#options = options;
    options.response.on("drain", () => this.#resume());
  }

  /** The call that feeds this response. It may have begun to answer already. */
  attach(call: AgentCall): void {
    this.#call = call;
    if (this.#paused) call.pause();
  }

  header(): void {
    // The gRPC header says nothing: status and headers of HTTP come as a message.
  }

  message(data: Uint8Array): void {
    const { response } = this.#options;
    if (response.destroyed || this.#complete) return;
    try {
      const body = response.headersSent ? unwrapBytes(HTTP_RESPONSE_DATA, data) : undefined;
      if (body !== undefined && data.length > 0) {
        this.#order.check(DATA);
        this.#write(body);
      } else this.#decode(data);
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  end(result: CallResult): void {
    const { response } = this.#options;
    if (response.destroyed) return;
    if (result.code === 0 && this.#complete) return void response.end();
    this.#fail(result.code === 0 ? "the agent ended the answer early" : result.message);
  }

  #decode(data: Uint8Array): void {
    const { message } = fromBinary(HttpResponseSchema, data);
    switch (message.case) {
      case "header":
        this.#order.check(HEADER);
        return this.#begin(message.value.response?.statusCode ?? 0, message.value.response?.header ?? {});
      case "data":
        this.#order.check(DATA);
        return this.#write(message.value.data);
      case "trailer":
        this.#order.check(TRAILER);
        this.#complete = true;
        return undefined;
      default:
        throw new Error("the agent sent a frame that was not asked for");
    }
  }

  #begin(status: number, header: Parameters<typeof headersForClient>[0]): void {
    if (status < 200 || status > 599) throw new Error(`the agent answered with the impossible status ${status}`);
    const { response, headers } = this.#options;
    response.writeHead(status, { ...headersForClient(header), ...headers() });
    // writeHead alone keeps the header until the first byte of the body: a quiet watch would look dead.
    response.flushHeaders();
  }

  #write(body: Uint8Array): void {
    if (body.length === 0) return;
    const { response } = this.#options;
    this.#spent += body.length;
    if (!response.write(body)) this.#pause();
    else if (this.#spent >= TURN_BYTES) {
      this.#pause();
      setImmediate(() => this.#resume());
    }
  }

  #pause(): void {
    this.#paused = true;
    this.#call?.pause();
  }

  #resume(): void {
    this.#spent = 0;
    if (!this.#paused || this.#options.response.writableNeedDrain) return;
    this.#paused = false;
    this.#call?.resume();
  }

  /** Before the header a sentence; after it only a cut connection tells the client that the answer is not whole. */
  #fail(message: string): void {
    const { response, refuse } = this.#options;
    this.#call?.cancel();
    if (response.headersSent) response.destroy();
    else refuse(new ProxyRefusal(502, `the request broke on its way: ${message}`));
  }
}
