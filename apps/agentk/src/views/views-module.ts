import type { Clock, Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { OwnRequests } from "../cluster-access/own-requests.ts";
import type { AgentCallHandler, AgentCallReply, AgentMethod, AgentMethods } from "../reverse-tunnel/agent-call.ts";
import type { Views } from "./views.ts";

/** Full name of the method that carries all views of a kas. */
const CONNECT = "/kas.v1.AgentViews/Connect";

/** What views are made of. */
export interface ViewsModuleOptions {
  readonly requests: OwnRequests;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keeps views of the cluster for kas. Its code is loaded when kas first asks: an agent of whom nobody wants any does not grow by it. */
export class ViewsModule implements Module {
  readonly name = "views";
  readonly #options: ViewsModuleOptions;
  readonly #calls = new Set<LateCall>();
  #views: Promise<Views> | undefined;
  #closed = false;

  constructor(options: ViewsModuleOptions) {
    this.#options = options;
  }

  /** What this agent can be asked through its tunnels. */
  get methods(): AgentMethods {
    const connect: AgentMethod = (_request, reply) => this.#begin(reply);
    return new Map([[CONNECT, connect]]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls) call.leave();
    await (await this.#views)?.close();
  }

  #begin(reply: AgentCallReply): AgentCallHandler {
    const call = new LateCall();
    this.#calls.add(call);
    this.#views ??= import("./views.ts").then(({ openViews }) => openViews(this.#options));
    void this.#views.then((views) => {
      if (!call.isOver && !this.#closed) call.begin(views.call(reply, () => this.#calls.delete(call)));
    });
    return call;
  }
}

/** A call whose code is being loaded: what comes meanwhile waits. */
class LateCall implements AgentCallHandler {
  #call: (AgentCallHandler & { leave(): void }) | undefined;
  #waiting: Uint8Array[] = [];
  #isSent = false;
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  begin(call: AgentCallHandler & { leave(): void }): void {
    this.#call = call;
    for (const data of this.#waiting) call.message(data);
    this.#waiting = [];
    if (this.#isSent) call.closeSend();
  }

  message(data: Uint8Array): void {
    if (this.#call) this.#call.message(data);
    // A view: it is only good until here.
    else this.#waiting.push(data.slice());
  }

  closeSend(): void {
    this.#isSent = true;
    this.#call?.closeSend();
  }

  cancelled(): void {
    this.#isOver = true;
    this.#call?.cancelled();
  }

  leave(): void {
    this.#call?.leave();
  }
}
