import { statusOfThrown } from "@binnacle/grpc-wire";
import { Fault, type Module } from "@binnacle/rpc";

import type { AgentCallHandler, AgentCallReply, AgentMethods } from "./agent-call.ts";

/** A method whose code is there. */
export interface LoadedMethod {
  readonly open: (reply: AgentCallReply) => AgentCallHandler;
}

/** Buffers what arrives until the code is loaded: the stream is paused, so that it is a chunk at most. */
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

  upgradeData(bytes: Uint8Array): void {
    this.#handler?.upgradeData?.(bytes);
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

/** A loaded part of the agent. */
interface LoadedPart extends LoadedMethod {
  /** Ends its calls. */
  readonly close: () => Promise<void> | void;
}

/** A part of the agent that serves one method, and how to load it. */
interface LazyModuleOptions {
  readonly name: string;
  /** Full name of the method: "/service/Method". */
  readonly method: string;
  readonly load: () => Promise<LoadedPart>;
}

/** A part of the agent whose code is loaded with the first call of its method: an agent that does not serve it uses no memory for it. */
export class LazyModule implements Module {
  readonly name: string;
  readonly #options: LazyModuleOptions;
  #part: Promise<LoadedPart> | undefined;

  constructor(options: LazyModuleOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** The method that this agent serves through its tunnels. */
  get methods(): AgentMethods {
    const { method, load } = this.#options;
    return new Map([[method, (_request, reply) => new LoadingCall((this.#part ??= load()), reply)]]);
  }

  async close(): Promise<void> {
    await (await this.#part)?.close();
  }
}
