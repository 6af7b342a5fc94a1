import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { HttpRequestSchema, HttpResponseSchema, type HttpRequest } from "@binnacle/proto/grpctool";
import { HTTP_RESPONSE_DATA, wrapBytes } from "@binnacle/grpc-wire";

import type { AgentCall, AgentCallListener, AgentCallRequest, AgentRouter, CallStage, WatchBudget } from "../agent-call.ts";

/** One call as the agent would see it, and the means to answer it. */
export interface ScriptedCall {
  readonly request: AgentCallRequest;
  readonly listener: AgentCallListener;
  readonly messages: HttpRequest[];
  halfClosed: boolean;
  cancelled: boolean;
  paused: boolean;
  /** What `write` answers. */
  room: boolean;
  /** There is room again. */
  drain(): void;
  respond(status: number, header?: Readonly<Record<string, readonly string[]>>): void;
  data(text: string | Uint8Array): void;
  finish(): void;
  fail(code: number, message: string, stage?: CallStage): void;
}

/** A stand-in for the router: hands each call to the test. */
export class ScriptedRouter implements AgentRouter {
  readonly calls: ScriptedCall[] = [];
  /** Runs once the request has been half-closed; default: 200 with an empty object. */
  onRequest: (call: ScriptedCall) => void = (call) => {
    call.respond(200, { "Content-Type": ["application/json"] });
    call.data("{}");
    call.finish();
  };
  /** Runs as soon as the call was opened. */
  onOpen: (call: ScriptedCall) => void = () => undefined;
  /** Thrown by the next call. */
  failure: Error | undefined;
  /** Whether calls are made without waiting. */
  hasFreeTunnel = false;
  /** Whether agents say that they are ours. */
  agentIsOurs = true;
  /** What the kas with the tunnel says of its watches. */
  watchBudget: WatchBudget | undefined;

  open(request: AgentCallRequest, listener: AgentCallListener): AgentCall | Promise<AgentCall> {
    return this.hasFreeTunnel ? this.#start(request, listener) : this.#startLater(request, listener);
  }

  async #startLater(request: AgentCallRequest, listener: AgentCallListener): Promise<AgentCall> {
    return this.#start(request, listener);
  }

  #start(request: AgentCallRequest, listener: AgentCallListener): AgentCall {
    if (this.failure) throw this.failure;
    const send = (message: Parameters<typeof create<typeof HttpResponseSchema>>[1]): void =>
      listener.message(toBinary(HttpResponseSchema, create(HttpResponseSchema, message)));
    let resume = (): void => undefined;
    const call: ScriptedCall = {
      request,
      listener,
      messages: [],
      halfClosed: false,
      cancelled: false,
      paused: false,
      room: true,
      drain() {
        call.room = true;
        resume();
      },
      respond(status, header = {}) {
        const values = Object.fromEntries(Object.entries(header).map(([name, value]) => [name, { value: [...value] }]));
        listener.header(new Map());
        send({ message: { case: "header", value: { response: { statusCode: status, status: `${status}`, header: values } } } });
      },
      data(text) {
        const bytes = typeof text === "string" ? Buffer.from(text) : text;
        listener.message(Buffer.concat(wrapBytes(HTTP_RESPONSE_DATA, [bytes])));
      },
      finish() {
        send({ message: { case: "trailer", value: {} } });
        listener.end({ code: 0, message: "", trailer: new Map(), stage: "answered" });
      },
      fail: (code, message, stage = "started") => listener.end({ code, message, trailer: new Map(), stage }),
    };
    this.calls.push(call);
    this.onOpen(call);
    return {
      hops: 0,
      agentIsOurs: this.agentIsOurs,
      ...(this.watchBudget && { watchBudget: this.watchBudget }),
      write: (pieces) => {
        call.messages.push(fromBinary(HttpRequestSchema, Buffer.concat(pieces)));
        return call.room;
      },
      onDrain: (again) => (resume = again),
      closeSend: () => {
        call.halfClosed = true;
        this.onRequest(call);
      },
      pause: () => void (call.paused = true),
      resume: () => void (call.paused = false),
      cancel: () => void (call.cancelled = true),
    };
  }
}
