import { nodeExpressions } from "@binnacle/pod-logs/node-expressions";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { OwnRequests } from "../cluster-access/own-requests.ts";
import type { AgentCallReply } from "../reverse-tunnel/agent-call.ts";
import { gatedTransport, TurnQueue, type SharedLimits } from "./gated-transport.ts";
import { LogsCall, SourceBudget, type LogsCallOptions } from "./logs-call.ts";
import { ReadGate } from "./read-gate.ts";

/** Logs that are read from kubelets at a time, over all calls. */
const MAX_READS = 20;

/** What logs are read with. */
interface LogsOptions {
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
  const shared: SharedLimits = { gate: new ReadGate(clock, MAX_READS), turns: new TurnQueue() };
  const budget = new SourceBudget();
  const expressions = nodeExpressions(clock);
  const transportAs: LogsCallOptions["transportAs"] = (identity) =>
    gatedTransport(transport({ part: "logs", ...(identity && { identity }) }), shared);
  const calls = new Set<LogsCall>();
  return {
    get reads() {
      return shared.gate.reads;
    },
    open(reply) {
      const call: LogsCall = new LogsCall({ transportAs, budget, expressions, clock, log, reply, ended: () => void calls.delete(call) });
      calls.add(call);
      return call;
    },
    close() {
      for (const call of calls) call.leave();
      expressions.close();
    },
  };
}
