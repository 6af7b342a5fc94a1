import type { Readable } from "node:stream";

import { copyWithBudget, HTTP_REQUEST_DATA, wrapBytes, type ValuesMap } from "@binnacle/grpc-wire";

import type { Clock } from "@binnacle/rpc";

import type { AgentCall } from "../agent-call/agent-call.ts";
import { DroppedRest } from "./dropped-rest.ts";
import { REQUEST_TRAILER, requestTrailerMessage } from "./request-header.ts";

/** What of a body is kept, so that a call that the agent never saw can be made once more. */
const KEPT_BYTES = 64 * 1024;
const NOTHING = (): void => undefined;

/** Events of an upload. */
export interface UploadHandlers {
  readonly clock: Clock;
  /** Bytes of an upgraded connection may follow the request, so that its end does not end the call. Default: no. */
  readonly staysOpen?: boolean;
  /** Whose turn it is: the client shall send, or the agent shall read (and, after the last byte, answer). */
  waitsFor(who: "client" | "agent"): void;
  /** The client went away in the middle. */
  broken(error: unknown): void;
  /** The client sends more than is thrown away for it. */
  excess(): void;
  /** The fields behind the body, once it is whole. */
  trailers?(): ValuesMap | undefined;
}

/** The body of a request on its way to the agent: at most 128 KiB per turn, and nothing while the tunnel is full. */
export class Upload {
  readonly #source: Readable | undefined;
  readonly #handlers: UploadHandlers;
  #call: AgentCall | undefined;
  #kept: Uint8Array[] | undefined = [];
  #bytes = 0;
  #dropped: DroppedRest | undefined;
  #state: "new" | "running" | "whole" = "new";
  #sent = false;
  #resume = NOTHING;

  /** @param source absent: the request has no body */
  constructor(source: Readable | undefined, handlers: UploadHandlers) {
    this.#source = source;
    this.#handlers = handlers;
  }

  /** Nothing of a body was sent, or all that was sent is still here: another call can begin anew. */
  get repeatable(): boolean {
    return this.#kept !== undefined;
  }

  /** Bytes that the client has sent, without those that were discarded. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The end of the request was sent to the agent. */
  get isSent(): boolean {
    return this.#sent;
  }

  /** Sends the body on this call, from its beginning. The header was written. */
  start(call: AgentCall): void {
    // An agent may answer before it got the request.
    if (this.#dropped) return;
    this.#call = call;
    if (this.#source === undefined) return this.#finish();
    call.onDrain(() => {
      if (this.#state === "running" && !this.#dropped) this.#handlers.waitsFor("client");
      this.#resume();
    });
    for (const chunk of this.#kept ?? []) call.write(wrapBytes(HTTP_REQUEST_DATA, [chunk]));
    if (this.#state === "whole") return this.#finish();
    this.#handlers.waitsFor("client");
    if (this.#state === "new") this.#run(this.#source);
    else this.#resume();
  }

  /** The call broke, another one may follow: what the client sends meanwhile waits. */
  hold(): void {
    this.#call = undefined;
  }

  /** The rest is not needed: it is read and discarded, so that the client reads its answer, and its connection can carry its next request. */
  discard(): void {
    this.#call = undefined;
    this.#kept = undefined;
    if (this.#source === undefined || this.#state === "whole" || this.#dropped) return;
    this.#dropped = new DroppedRest(this.#handlers.clock, () => this.#handlers.excess());
    if (this.#state === "new") this.#run(this.#source);
    else this.#resume();
  }

  /** Ends the request on its call where it is, and discards the rest: its whole answer is there. */
  cutShort(call: AgentCall): void {
    this.#end(call);
    this.discard();
  }

  #run(source: Readable): void {
    this.#state = "running";
    const sink = {
      write: (chunk: Uint8Array) => this.#write(chunk),
      onDrain: (resume: () => void) => {
        this.#resume = resume;
        return () => (this.#resume = NOTHING);
      },
    };
    copyWithBudget(source, sink).then(
      () => this.#finish(),
      (error: unknown) => {
        this.#dropped?.stop();
        this.#handlers.broken(error);
      },
    );
  }

  #write(chunk: Uint8Array): boolean {
    if (this.#dropped) return this.#dropped.add(chunk.byteLength);
    this.#keep(chunk);
    if (this.#call === undefined) return false;
    const room = this.#call.write(wrapBytes(HTTP_REQUEST_DATA, [chunk]));
    this.#handlers.waitsFor(room ? "client" : "agent");
    return room;
  }

  #keep(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > KEPT_BYTES) this.#kept = undefined;
    else this.#kept?.push(chunk);
  }

  #finish(): void {
    this.#state = "whole";
    if (this.#dropped) return this.#dropped.stop();
    this.#handlers.waitsFor("agent");
    if (this.#call) this.#end(this.#call);
  }

  #end(call: AgentCall): void {
    this.#sent = true;
    call.write([this.#state === "whole" ? requestTrailerMessage(this.#handlers.trailers?.()) : REQUEST_TRAILER]);
    if (this.#handlers.staysOpen !== true) call.closeSend();
  }
}
