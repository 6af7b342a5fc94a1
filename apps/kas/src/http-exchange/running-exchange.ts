import { NO_METADATA, TURN_BYTES, type Metadata } from "@binnacle/grpc-wire";
import { Fault, type FaultReason } from "@binnacle/rpc";

import type {
  AgentCall,
  AgentCallListener,
  AgentCallRequest,
  AnswerField,
  CallResult,
  CallStage,
  SilentParty,
} from "../agent-call/agent-call.ts";
import type { AnswerHeader } from "./body-length.ts";
import { AnswerReader, type AnswerPart } from "./answer-reader.ts";
import type { HttpExchange, HttpExchangeRequest, HttpExchangeSink, HttpExchangeVia, UpgradedEnd } from "./http-exchange.ts";
import { MAKE_REQUEST } from "../agent-call/routed-methods.ts";
import { SilenceGuard } from "./silence-guard.ts";
import { Upload } from "./upload.ts";
import { boundWatch, encodeRequestHeader } from "./request-header.ts";

/** From this status on a server that answers has no use for the rest of the request: redirects, refusals, errors. */
const FIRST_REFUSAL = 300;
/** How long an agent that was not sent the whole request may take to end its call after its answer. */
const UNSENT_MS = 5_000;
/** An agent that cannot tell whether its server wants the body may answer without it for so long; it is as long as Go's HTTP client waits. */
const CONTINUE_MS = 1_000;
/** For an agent that can tell: kas understands 100. */
const RELAYED = ["continue", "trailers", "informational"] as const;
/** A request that no agent saw is made at most this often. */
const MAX_ATTEMPTS = 3;
const SILENT = { agent: "agent_silent", cluster: "cluster_silent" } as const satisfies Record<SilentParty, FaultReason>;

/** One for all: most exchanges wait for neither. */
const NOTHING = (): void => {};

/**
 * One exchange with the calls it takes.
 *
 * - `opening`: looks for a tunnel
 * - `sent`: a call carries the request, no answer yet
 * - `answering`: the header has come
 * - `switched`: the connection is upgraded, bytes belong to its two ends
 * - `over`: ended, failed or cancelled; the sink gets nothing more
 */
export class RunningExchange implements HttpExchange {
  readonly #via: HttpExchangeVia;
  readonly #request: HttpExchangeRequest;
  readonly #sink: HttpExchangeSink;
  readonly #upload: Upload;
  readonly #silence: SilenceGuard;
  readonly #startedMs: number;
  #state: "opening" | "sent" | "answering" | "switched" | "over" = "opening";
  #call: AgentCall | undefined;
  /** Of the call that counts. */
  #reader: AnswerReader | undefined;
  /** The call ended before the router had given it to us. */
  #endedEarly: CallResult | undefined;
  #sinkFull = false;
  #yielding = false;
  #spent = 0;
  #attempts = 0;
  #stopAwaitingEnd = NOTHING;
  #bytesOut = 0;
  #stopAwaitingContinue = NOTHING;
  #awaitsContinue: boolean;
  #upgraded: UpgradedEnd | undefined;
  /** The body is sent on although the client got no 100. */
  #acceptsUnasked = false;

  constructor(via: HttpExchangeVia, request: HttpExchangeRequest, sink: HttpExchangeSink) {
    this.#via = via;
    this.#request = request;
    this.#sink = sink;
    this.#startedMs = via.clock.now();
    this.#awaitsContinue = request.awaitsContinue === true && request.body !== undefined;
    this.#silence = new SilenceGuard(via, request, (fault) => this.#silent(fault));
    this.#upload = new Upload(request.body, {
      clock: via.clock,
      staysOpen: request.upgrade !== undefined,
      waitsFor: (who) => this.#silence.waitsFor(this.#state === "over" || this.#state === "opening" ? "none" : who),
      // Only the client can break it, by disconnecting.
      broken: () => this.cancel(),
      excess: () => sink.endConnection?.(),
      ...(request.trailers && { trailers: request.trailers }),
    });
  }

  /** Makes the first call. @returns itself, at once where a tunnel is free @throws Fault of the router */
  open(): this | Promise<this> {
    const waiting = this.#attempt(this.#request.context.waitMs);
    return waiting === undefined ? this : this.#opened(waiting);
  }

  async #opened(waiting: Promise<void>): Promise<this> {
    try {
      await waiting;
      return this;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  get bytesIn(): number {
    return this.#upload.bytes;
  }

  get bytesOut(): number {
    return this.#bytesOut;
  }

  resume(): void {
    if (!this.#sinkFull) return;
    this.#sinkFull = false;
    this.#silence.readerMoved();
    this.#flow();
  }

  cancel(): void {
    if (this.#state === "over") return;
    this.#close();
    this.#call?.cancel();
    this.#upload.discard();
  }

  /** @returns undefined when the call was made at once; never throws */
  #attempt(waitMs: number): Promise<void> | undefined {
    const { agentId, connectionId, context, signal, identity, service, upgrade } = this.#request;
    const reader = new AnswerReader(this.#request.method, this.#request.upgrade);
    this.#state = "opening";
    this.#reader = reader;
    this.#endedEarly = undefined;
    this.#acceptsUnasked = false;
    this.#call = undefined;
    this.#attempts += 1;
    const request: AgentCallRequest = {
      agentId,
      method: service?.rpc ?? MAKE_REQUEST,
      impersonation: identity !== undefined,
      upgrade: upgrade !== undefined && service === undefined,
      context: context.waitMs === waitMs ? context : { ...context, waitMs },
      metadata: relaying({
        continue: this.#awaitsContinue,
        trailers: this.#request.trailers !== undefined,
        informational: this.#sink.informational !== undefined,
      }),
      signal,
      ...(connectionId === undefined ? {} : { connectionId }),
    };
    const { router } = this.#via;
    const listener = this.#listenerOf(reader);
    try {
      const call = router.open(request, listener);
      if (call instanceof Promise) return call.then((found) => this.#begin(found));
      this.#begin(call);
      return undefined;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #begin(call: AgentCall): void {
    if (this.#isOver()) return call.cancel();
    this.#call = call;
    // A hostile agent may answer before it got the request.
    if (this.#state === "opening") this.#state = "sent";
    if (this.#endedEarly) return this.#ended(this.#endedEarly);
    if (this.#sinkFull || this.#yielding) call.pause();
    call.write([encodeRequestHeader(boundWatch(this.#request, call))]);
    if (!this.#awaitsContinue) return this.#upload.start(call);
    this.#silence.waitsFor("agent");
    this.#stopAwaitingContinue();
    const relays = call.agentIsOurs === true;
    this.#stopAwaitingContinue = this.#via.clock.after(CONTINUE_MS, () => (relays ? this.#acceptUnasked(call) : this.#continue()));
  }

  /** The server wants the body, or that is unknown. */
  #continue(): void {
    if (!this.#awaitsContinue || this.#state !== "sent" || this.#call === undefined) return;
    this.#stopAwaitingContinue();
    this.#awaitsContinue = false;
    this.#sink.continue?.();
    if (this.#acceptsUnasked) this.#silence.waitsFor("client");
    else this.#upload.start(this.#call);
  }

  /** The agent passes the server's own 100 on, whenever that comes. A client that does not wait for it any longer may send its body. */
  #acceptUnasked(call: AgentCall): void {
    if (!this.#awaitsContinue || this.#state !== "sent") return;
    this.#acceptsUnasked = true;
    this.#upload.start(call);
    this.#silence.waitsFor("agent");
  }

  /** Late messages of a call that was given up are ignored. */
  #listenerOf(reader: AnswerReader): AgentCallListener {
    return {
      header: () => undefined,
      message: (data) => {
        if (this.#reader === reader && !this.#isOver()) this.#read(reader, data);
      },
      body: (bytes, field) => {
        if (this.#reader === reader && !this.#isOver()) this.#read(reader, bytes, field);
      },
      end: (result) => {
        if (this.#reader === reader) this.#stopAwaitingEnd();
        if (this.#reader !== reader || this.#isOver()) return;
        if (this.#call === undefined) this.#endedEarly = result;
        else this.#ended(result);
      },
    };
  }

  /** @param field which the bytes are of; absent: they are a message */
  #read(reader: AnswerReader, bytes: Uint8Array, field?: AnswerField): void {
    let part: AnswerPart | undefined;
    try {
      part = field === undefined ? reader.read(bytes) : reader.piece(bytes, field);
    } catch (error) {
      return this.#violated(error);
    }
    if (part === undefined) return this.#afterEnd();
    if (part.kind === "continue") return this.#continue();
    if (part.kind === "informational") return this.#sink.informational?.(part.status, part.header);
    if (part.kind === "trailers") {
      this.#sink.trailers?.(part.trailers);
      return this.#afterEnd();
    }
    if (part.kind === "data") return this.#pass(part.body);
    if (part.kind === "raw") return this.#pass(part.bytes);
    if (part.kind === "switched") return this.#switch(part.header);
    this.#state = "answering";
    this.#silence.answered();
    // Go agents end the call with an error when they cannot pass on a body that their API server does not read.
    if (this.#request.upgrade !== undefined) this.#call?.closeSend();
    if (part.status >= FIRST_REFUSAL || (this.#awaitsContinue && this.#upload.bytes === 0)) this.#stopSending();
    const { status, header, contentLength } = part;
    const { hops = 0, watchBudget } = this.#call ?? {};
    this.#sink.header({ status, header, contentLength, hops, attempts: this.#attempts, ...(watchBudget && { watchBudget }) });
  }

  /** From here on it lasts for as long as the two ends want. */
  #switch(header: AnswerHeader): void {
    const call = this.#call;
    this.#silence.answered();
    this.#upgraded = call && this.#sink.switched?.(header, call);
    if (this.#upgraded === undefined) return this.#violated(new Fault("answer_broken", "the agent answered 101 before it got the request"));
    if (!this.#isOver()) this.#state = "switched";
  }

  #pass(body: Uint8Array): void {
    this.#bytesOut += body.byteLength;
    this.#spent += body.byteLength;
    if (!(this.#upgraded ?? this.#sink).data(body)) {
      this.#sinkFull = true;
      // Of an upgraded connection its own end looks after that.
      if (this.#upgraded === undefined) this.#silence.readerFull();
      this.#flow();
    } else if (this.#spent >= TURN_BYTES && !this.#yielding) {
      this.#yielding = true;
      this.#flow();
      setImmediate(() => {
        this.#yielding = false;
        this.#flow();
      });
    }
  }

  /** The call flows while the sink has room and others have had their turn. */
  #flow(): void {
    if (this.#sinkFull || this.#yielding) return this.#call?.pause();
    this.#spent = 0;
    this.#call?.resume();
  }

  /** A server that has answered completely does not read the rest of the request. The call is ended in order: a reset costs Go agents a back-off. */
  #afterEnd(): void {
    const call = this.#call;
    if (this.#reader?.hasEnded !== true || this.#upgraded !== undefined || this.#upload.isSent || call === undefined) return;
    this.#close();
    this.#stopAwaitingEnd = this.#via.clock.after(UNSENT_MS, () => call.cancel());
    this.#upload.cutShort(call);
    call.resume();
    this.#sink.end();
  }

  #stopSending(): void {
    this.#stopAwaitingContinue();
    if (this.#upload.isSent) return;
    this.#upload.discard();
    this.#silence.waitsFor("none");
  }

  #ended(result: CallResult): void {
    // Whatever went wrong afterwards: often that the agent could not pass on the rest of the request.
    if (result.code !== 0 && this.#reader?.isWhole === true) return this.#finished();
    if (result.silent) return this.#unanswered(new Fault(SILENT[result.silent], result.message), result.stage);
    if (result.code !== 0) return this.#broken(new Fault("tunnel_broken", result.message), result.stage);
    try {
      this.#reader?.end();
    } catch (error) {
      return this.#violated(error);
    }
    this.#finished();
  }

  #finished(): void {
    this.#close();
    this.#upload.discard();
    (this.#upgraded ?? this.#sink).end();
  }

  #violated(error: unknown): void {
    const cause =
      error instanceof Fault ? error : new Fault("answer_broken", "the agent answered something we cannot read", { cause: error });
    this.#via.onViolation?.(this.#request.agentId, cause);
    this.#fail(cause, "answered");
  }

  #silent(fault: Fault): void {
    this.#via.onSilence?.(fault.reason);
    this.#fail(fault, this.#state === "answering" ? "answered" : "started");
  }

  /** The caller gave it so long and no longer: it is not made again. */
  #unanswered(fault: Fault, stage: CallStage): void {
    this.#via.onSilence?.(fault.reason);
    this.#fail(fault, stage);
  }

  #broken(fault: Fault, stage: CallStage): void {
    const leftMs = this.#request.context.waitMs - Math.max(0, this.#via.clock.now() - this.#startedMs);
    if (leftMs <= 0 || !this.#mayRepeat(stage)) return this.#fail(fault, stage);
    this.#silence.stop();
    this.#stopAwaitingContinue();
    this.#upload.hold();
    this.#attempt(leftMs)?.catch((error: unknown) => {
      if (!this.#isOver()) this.#fail(error instanceof Fault ? error : fault, stage);
    });
  }

  /** A request that the agent never saw waits for another tunnel as before; what was sent is never sent twice, and its failure is reported at once (A8). */
  #mayRepeat(stage: CallStage): boolean {
    if (this.#state === "answering" || this.#state === "switched" || this.#attempts >= MAX_ATTEMPTS || this.#request.signal.aborted)
      return false;
    return stage === "not_started" && this.#upload.repeatable;
  }

  #fail(fault: Fault, stage: CallStage): void {
    this.#close();
    this.#call?.cancel();
    this.#upload.discard();
    if (this.#upgraded) this.#upgraded.end(fault);
    else this.#sink.fail({ fault, stage, attempts: this.#attempts });
  }

  #close(): void {
    this.#state = "over";
    this.#silence.stop();
    this.#stopAwaitingContinue();
  }

  /** For use after an await or a callback, where the compiler assumes that nothing has changed. */
  #isOver(): boolean {
    return this.#state === "over";
  }
}

/** What of the exchange an agent of ours may pass on beside header and body, by which of `RELAYED` it is: a bit each. */
const RELAYING: readonly Metadata[] = Array.from({ length: 2 ** RELAYED.length }, (_, bits) => {
  const names = RELAYED.filter((_name, index) => (bits & (1 << index)) !== 0).join(",");
  return bits === 0 ? NO_METADATA : new Map([["kas-caps", [names]]]);
});

function relaying(parts: Readonly<Record<(typeof RELAYED)[number], boolean>>): Metadata {
  const bits = (parts.continue ? 1 : 0) | (parts.trailers ? 2 : 0) | (parts.informational ? 4 : 0);
  return RELAYING[bits] ?? NO_METADATA;
}
