import { statusOfThrown } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

import type { AgentCallHandler, AgentCallReply } from "./agent-call.ts";

/** A method whose code is there. */
export interface LoadedMethod {
  readonly open: (reply: AgentCallReply) => AgentCallHandler;
}

/** Keeps what comes until the code is there: kas is told to wait, so that it is a chunk at most. */
export class LoadingCall implements AgentCallHandler {
  readonly #reply: AgentCallReply;
  #early: ((handler: AgentCallHandler) => void)[] = [];
  #handler: AgentCallHandler | undefined;
  #cancelled = false;

  constructor(loading: Promise<LoadedMethod>, reply: AgentCallReply) {
    this.#reply = reply;
    reply.pause();
    loading.then(
      ({ open }) => this.#open(open),
      (error: unknown) => reply.end(statusOfThrown(error)),
    );
  }

  message(data: Uint8Array): void {
    if (this.#handler) return this.#handler.message(data);
    const kept = Uint8Array.from(data);
    this.#early.push((handler) => handler.message(kept));
  }

  closeSend(): void {
    if (this.#handler) return this.#handler.closeSend();
    this.#early.push((handler) => handler.closeSend());
  }

  cancelled(): void {
    this.#cancelled = true;
    this.#handler?.cancelled();
  }

  #open(open: LoadedMethod["open"]): void {
    if (this.#cancelled) return;
    const handler = open(this.#reply);
    this.#handler = handler;
    this.#reply.resume();
    try {
      for (const pass of this.#early) pass(handler);
    } catch (error) {
      // Outside of the tunnel's own hands, which would have done the same.
      if (!(error instanceof Fault)) throw error;
      this.#reply.end(statusOfThrown(error));
      handler.cancelled();
    }
    this.#early = [];
  }
}
