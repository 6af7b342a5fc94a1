import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { OwnRequests } from "../cluster-access/own-requests.ts";
import type { AgentCallReply } from "../reverse-tunnel/agent-call.ts";
import { gatedTransport, type SharedWay } from "./gated-transport.ts";
import { LogsCall, type LogsCallOptions } from "./logs-call.ts";
import { ReadGate } from "./read-gate.ts";
import { SourceBudget } from "./source-budget.ts";
import { Turns } from "./turns.ts";

/** Logs that are read from kubelets at a time, over all calls. */
const MOST_READS = 20;

/** What logs are read with. */
export interface LogsOptions {
  readonly requests: OwnRequests;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The logs that this agent reads. */
export interface Logs {
  /** Reads from kubelets that are under way. */
  readonly reads: number;
  /** Answers a call of kas. */
  open(reply: AgentCallReply): LogsCall;
  /** Ends all calls. */
  close(): void;
}

/** Prepares reading; no request goes to the cluster before the first call. */
export async function openLogs({ requests, clock, log }: LogsOptions): Promise<Logs> {
  const transport = await requests.transports();
  const way: SharedWay = { gate: new ReadGate(clock, MOST_READS), turns: new Turns() };
  const budget = new SourceBudget();
  const transportAs: LogsCallOptions["transportAs"] = (identity) =>
    gatedTransport(transport({ part: "logs", ...(identity && { identity }) }), way);
  const calls = new Set<LogsCall>();
  return {
    get reads() {
      return way.gate.reads;
    },
    open(reply) {
      const call: LogsCall = new LogsCall({ transportAs, budget, clock, log, reply, ended: () => void calls.delete(call) });
      calls.add(call);
      return call;
    },
    close() {
      for (const call of calls) call.leave();
    },
  };
}
