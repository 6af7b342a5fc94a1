import type { Module } from "@binnacle/rpc";

import type { AgentMethods } from "../reverse-tunnel/agent-call.ts";
import { LoadingCall } from "../reverse-tunnel/loading-call.ts";
import type { Logs, LogsOptions } from "./logs.ts";

/** Full name of the method that reads logs. */
const READ = "/kas.v1.AgentLogs/Read";

/** Reads logs of the cluster for viewers of kas. Its code is loaded when kas first asks. */
export class LogsModule implements Module {
  readonly name = "logs";
  readonly #options: LogsOptions;
  #logs: Promise<Logs> | undefined;

  constructor(options: LogsOptions) {
    this.#options = options;
  }

  /** Methods that this agent serves through its tunnels. */
  get methods(): AgentMethods {
    return new Map([[READ, (_request, reply) => new LoadingCall(this.#load(), reply)]]);
  }

  async close(): Promise<void> {
    (await this.#logs)?.close();
  }

  #load(): Promise<Logs> {
    this.#logs ??= import("./logs.ts").then(({ openLogs }) => openLogs(this.#options));
    return this.#logs;
  }
}
