import { statusOfThrown } from "@binnacle/grpc-wire";
import type { AgentConfiguration } from "@binnacle/proto/agentcfg";
import { Fault } from "@binnacle/rpc";

import type { AgentCallHandler, AgentCallReply, AgentMethods } from "../reverse-tunnel/agent-call.ts";
import { ServiceEntries } from "./service-entries.ts";
import type { ServiceProxyOptions, ServiceProxyParts } from "./service-proxy-parts.ts";

/** Full name of the method that makes a request to a service. */
const MAKE_REQUEST = "/kas.v1.ServiceProxy/MakeRequest";

interface Loaded {
  readonly open: (reply: AgentCallReply) => AgentCallHandler;
}

/** Requests to services of the cluster. The code for them is loaded with the first one: an agent that nobody asks does not grow by it. */
export class ServiceProxyModule {
  readonly #options: ServiceProxyOptions;
  readonly #entries: ServiceEntries;
  #loading: Promise<Loaded> | undefined;

  constructor(options: Omit<ServiceProxyOptions, "entries">) {
    this.#entries = new ServiceEntries();
    this.#options = { ...options, entries: this.#entries };
  }

  /** What this agent can be asked through its tunnels. */
  get methods(): AgentMethods {
    return new Map([[MAKE_REQUEST, (_request, reply) => new LoadingCall(this.#load(), reply)]]);
  }

  /** Takes the services of a configuration; none: nobody reaches any. */
  configure(configuration: AgentConfiguration): void {
    this.#entries.configure(configuration.binnacle?.services ?? []);
  }

  #load(): Promise<Loaded> {
    this.#loading ??= Promise.all([import("./service-call.ts"), import("./service-proxy-parts.ts")]).then(
      ([{ ServiceCall }, { createServiceProxyParts }]) => {
        const parts: ServiceProxyParts = createServiceProxyParts(this.#options);
        return { open: (reply) => new ServiceCall(parts, reply) };
      },
    );
    return this.#loading;
  }
}

/** Keeps what comes until the code is there: kas is told to wait, so that it is a chunk at most. */
class LoadingCall implements AgentCallHandler {
  readonly #reply: AgentCallReply;
  #early: ((handler: AgentCallHandler) => void)[] = [];
  #handler: AgentCallHandler | undefined;
  #cancelled = false;

  constructor(loading: Promise<Loaded>, reply: AgentCallReply) {
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

  #open(open: Loaded["open"]): void {
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
