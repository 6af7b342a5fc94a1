import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { automatonOf, StreamAutomaton } from "@binnacle/grpc-wire";
import { HttpRequestSchema, HttpResponseSchema, type HttpResponse_Header } from "@binnacle/proto/grpctool";
import { Fault } from "@binnacle/rpc";

import type { AgentCall, AgentCallListener, CallResult } from "../agent-call/agent-call.ts";
import { headersForClient } from "./response-headers.ts";

const TABLE = automatonOf(HttpResponseSchema);
const FIELD = { header: 1, data: 2, trailer: 3, upgradeData: 4 } as const;
/** Largest refusal of an agent. */
const MAX_BODY_BYTES = 64 * 1024;
/** What of a handshake's answer is for the client beside what any answer may say. */
const HANDSHAKE: ReadonlySet<string> = new Set(["sec-websocket-accept", "sec-websocket-protocol", "sec-websocket-extensions"]);
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * One WebSocket to a service, between the client's socket and a call.
 *
 * - `asked`: nothing has come back
 * - `refused`: the agent answers something else than 101; the client gets it as an ordinary answer
 * - `switched`: bytes belong to the two ends
 * - `over`
 */
export class UpgradedService implements AgentCallListener {
  readonly #socket: Duplex;
  readonly #head: Buffer;
  readonly #pathPrefix: string;
  readonly #onFail: (fault: Fault) => void;
  readonly #order = new StreamAutomaton(TABLE);
  #state: "asked" | "refused" | "switched" | "over" = "asked";
  #call: AgentCall | undefined;
  #status: number | undefined;
  #bytesIn = 0;
  #bytesOut = 0;
  #refusal: { readonly start: string; readonly body: Uint8Array[]; bytes: number } | undefined;

  /** @param options.onFail called at most once, before anything was written to the socket */
  constructor(options: {
    readonly socket: Duplex;
    readonly head: Buffer;
    readonly pathPrefix: string;
    readonly onFail: (fault: Fault) => void;
  }) {
    this.#socket = options.socket;
    this.#head = options.head;
    this.#pathPrefix = options.pathPrefix;
    this.#onFail = options.onFail;
  }

  /** Whether nothing has come back yet. */
  get isWaiting(): boolean {
    return this.#state === "asked";
  }

  /** What the service has answered; undefined before it did. */
  get status(): number | undefined {
    return this.#status;
  }

  get bytesIn(): number {
    return this.#bytesIn;
  }

  get bytesOut(): number {
    return this.#bytesOut;
  }

  /** The call that carries it; its first messages. */
  attach(call: AgentCall, messages: readonly Uint8Array[]): void {
    this.#call = call;
    call.onDrain(() => this.#socket.resume());
    for (const message of messages) call.write([message]);
  }

  header(): void {}

  message(data: Uint8Array): void {
    if (this.#state === "over") return;
    const { message } = fromBinary(HttpResponseSchema, data);
    this.#order.check(message.case === undefined ? 0 : FIELD[message.case]);
    if (message.case === "header") return this.#onHeader(message.value);
    if (message.case === "trailer") return this.#state === "refused" ? this.#sendRefusal() : undefined;
    if (message.case === "data" && this.#refusal !== undefined) return this.#keep(message.value.data);
    if (message.case === "upgradeData" && this.#state === "switched") {
      this.#bytesOut += message.value.data.byteLength;
      if (!this.#socket.write(message.value.data)) this.#call?.pause();
      return;
    }
    throw new Fault("frame_order", "the agent sent a frame that was not asked for");
  }

  end({ message }: CallResult): void {
    if (this.#state === "asked" || this.#state === "refused") return this.fail(new Fault("tunnel_broken", message));
    if (this.#state === "over") return;
    // The service's last words are still on their way.
    this.#state = "over";
    this.#socket.end(() => this.#socket.destroy());
  }

  /** In words while nothing was written, else by the end of the connection. */
  fail(fault: Fault): void {
    const isUnanswered = this.#state === "asked" || this.#state === "refused";
    this.#state = "over";
    this.#call?.cancel();
    if (isUnanswered) this.#onFail(fault);
    else this.#socket.destroy();
  }

  /** Both ends. */
  close(): void {
    this.#state = "over";
    this.#call?.cancel();
    this.#socket.destroy();
  }

  #onHeader({ response }: HttpResponse_Header): void {
    const { statusCode = 0, header = {} } = response ?? {};
    if (Object.values(header).some(({ value }) => value.some((text) => CONTROLS.test(text))) || (statusCode !== 101 && statusCode < 400))
      return this.fail(new Fault("answer_broken", "the agent answered an upgrade with something that is no answer to it"));
    this.#status = statusCode;
    const passed: string[] = Object.entries(headersForClient(header, this.#pathPrefix, true)).flatMap(([name, value]) =>
      value === undefined || name === "location" ? [] : [value].flat().map((line) => `${name}: ${String(line)}`),
    );
    if (statusCode !== 101) {
      this.#state = "refused";
      this.#refusal = {
        start: [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ""}`, ...passed, "connection: close"].join("\r\n"),
        body: [],
        bytes: 0,
      };
      return;
    }
    const handshake = Object.entries(header).flatMap(([name, { value }]) =>
      HANDSHAKE.has(name.toLowerCase()) ? value.map((line) => `${name.toLowerCase()}: ${line}`) : [],
    );
    this.#state = "switched";
    this.#socket.write(
      `${["HTTP/1.1 101 Switching Protocols", "connection: Upgrade", "upgrade: websocket", ...handshake].join("\r\n")}\r\n\r\n`,
    );
    this.#socket.on("drain", () => this.#call?.resume());
    const pass = (chunk: Buffer): void => {
      this.#bytesIn += chunk.byteLength;
      if (this.#state === "switched" && this.#call?.write([upgradeMessage(chunk)]) === false) this.#socket.pause();
    };
    if (this.#head.length > 0) pass(this.#head);
    this.#socket.on("data", pass);
    // The client's last words are still on their way.
    this.#socket.on("end", () => this.#call?.closeSend());
    this.#socket.resume();
  }

  #keep(data: Uint8Array): void {
    if (this.#refusal === undefined) return;
    this.#refusal.bytes += data.byteLength;
    if (this.#refusal.bytes > MAX_BODY_BYTES) return this.fail(new Fault("answer_broken", "the agent's refusal is too long"));
    this.#refusal.body.push(Uint8Array.from(data));
  }

  #sendRefusal(): void {
    const { start = "", body = [], bytes = 0 } = this.#refusal ?? {};
    this.#state = "over";
    this.#socket.write(`${start}\r\ncontent-length: ${bytes}\r\n\r\n`, "latin1");
    this.#socket.end(Buffer.concat(body), () => this.#socket.destroy());
  }
}

function upgradeMessage(data: Uint8Array): Uint8Array {
  return toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "upgradeData", value: { data } } }));
}
