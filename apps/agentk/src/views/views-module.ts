import type { Module } from "@binnacle/rpc";

import type { AgentMethods } from "../reverse-tunnel/agent-call.ts";
import { LoadingCall } from "../reverse-tunnel/loading-call.ts";
import type { Views, ViewsOptions } from "./views.ts";

/** Full name of the method that carries all views of a kas. */
const CONNECT = "/kas.v1.AgentViews/Connect";

/** Keeps views of the cluster for kas. Its code is loaded when kas first asks: an agent of whom nobody wants any does not grow by it. */
export class ViewsModule implements Module {
  readonly name = "views";
  readonly #options: ViewsOptions;
  #views: Promise<Views> | undefined;

  constructor(options: ViewsOptions) {
    this.#options = options;
  }

  /** What this agent can be asked through its tunnels. */
  get methods(): AgentMethods {
    return new Map([[CONNECT, (_request, reply) => new LoadingCall(this.#load(), reply)]]);
  }

  async close(): Promise<void> {
    await (await this.#views)?.close();
  }

  #load(): Promise<Views> {
    this.#views ??= import("./views.ts").then(({ openViews }) => openViews(this.#options));
    return this.#views;
  }
}
