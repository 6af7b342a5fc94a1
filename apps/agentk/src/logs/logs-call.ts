import { KubeClientError } from "@binnacle/environment-view/transport";
import { STATUS_OK, GRPC_CODE, statusOfThrown } from "@binnacle/grpc-wire";
import { LogFilterError, readLogs, type LogsQuery, type LogsReader } from "@binnacle/pod-logs";
import { checkExpression, type Expressions } from "@binnacle/pod-logs/expressions";
import { ReadLogsResponseSchema, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { nodeExpressions } from "@binnacle/pod-logs/node-expressions";

import type { AgentCallHandler, AgentCallReply } from "../reverse-tunnel/agent-call.ts";
import type { OwnRequests } from "../cluster-access/own-requests.ts";
import { readLogsRequest, type LogsRequest } from "./logs-request.ts";
import { gatedTransport, TurnQueue, type SharedLimits } from "./gated-transport.ts";
import { ReadGate } from "./read-gate.ts";

/** What a call works with. */
export interface LogsCallOptions {
  /** Transport to the API server as the viewer of the call. @throws Fault `invalid_request` for an identity that cannot be written as headers */
  readonly transportAs: (identity: LogsRequest["identity"]) => LogsReader["transport"];
  readonly budget: SourceBudget;
  /** Runs expressions of all calls. */
  readonly expressions: Expressions;
  readonly clock: Clock;
  readonly log: Logger;
  readonly reply: AgentCallReply;
  /** The call has ended. */
  readonly ended: () => void;
}

/** Containers that are listed, with those that are not read. */
const MAX_LISTED = 2_000;
/** The dashboard takes no longer text of anybody. */
const LINE_BYTES = 16 * 1024;
const BATCH_BYTES = 64 * 1024;
/** Says that the request was understood: kas waits for it. */
const ACCEPTED = new Uint8Array();

/** kas takes 128 KiB. */
const MAX_BYTES = 120 * 1024;

type Message = NonNullable<MessageInitShape<typeof ReadLogsResponseSchema>["message"]>;

/** One call of kas for logs. What is read goes to kas as fast as it takes it; nothing is read ahead of that but a few lines of each container. */
export class LogsCall implements AgentCallHandler {
  readonly #options: LogsCallOptions;
  readonly #stop = new AbortController();
  #hasRequest = false;
  #isRunning = false;
  #resume = (): void => {};

  constructor(options: LogsCallOptions) {
    this.#options = options;
    options.reply.onDrain(() => this.#resume());
  }

  message(data: Uint8Array): void {
    if (this.#hasRequest) throw new Fault("frame_order", "logs are requested once in a call");
    this.#hasRequest = true;
    // Positions hold bytes of it.
    const { query, identity } = readLogsRequest(data.slice());
    const transport = this.#options.transportAs(identity);
    const share = this.#options.budget.take(query);
    this.#isRunning = true;
    void this.#run(query, transport, share).finally(() => {
      share.giveBack();
      this.#options.ended();
    });
  }

  closeSend(): void {
    if (this.#hasRequest) return;
    throw new Fault("frame_order", "a call for logs has no request");
  }

  cancelled(): void {
    this.#stop.abort();
    this.#resume();
    if (!this.#isRunning) this.#options.ended();
  }

  /** This agent goes away. */
  leave(): void {
    this.#options.reply.end({ code: GRPC_CODE.unavailable, message: "this agent goes away" });
    this.cancelled();
  }

  /** Never rejects. */
  async #run(query: LogsRequest["query"], transport: LogsReader["transport"], { sources }: { readonly sources: number }): Promise<void> {
    const { reply, clock, expressions } = this.#options;
    const limits = { reads: sources, sources: MAX_LISTED, lineBytes: LINE_BYTES, batchBytes: BATCH_BYTES };
    try {
      await checkExpression(query.filter, expressions, this.#stop.signal);
      await this.#say(ACCEPTED);
      for await (const response of readLogs(query, { transport, clock, limits, expressions, isReadByAgent: true }, this.#stop.signal))
        for (const message of messagesOf(response)) await this.#say(message);
      reply.end(STATUS_OK);
    } catch (error) {
      reply.end(this.#stop.signal.aborted ? STATUS_OK : statusOfThrown(this.#faultOf(error)));
    } finally {
      this.#stop.abort();
    }
  }

  /** Resolves when kas takes more, or the call has ended. */
  async #say(message: Uint8Array): Promise<void> {
    if (this.#stop.signal.aborted || this.#options.reply.message([message])) return;
    await new Promise<void>((resolve) => (this.#resume = resolve));
  }

  #faultOf(error: unknown): Fault {
    if (error instanceof Fault) return error;
    if (error instanceof LogFilterError) return new Fault("invalid_request", error.message, { cause: error });
    if (error instanceof KubeClientError) return new Fault("cluster_unavailable", error.message, { cause: error });
    this.#options.log.error({ error }, "reading logs failed");
    return new Fault("internal", "reading logs failed");
  }
}

/** A container that is followed holds about 32 KiB of pending lines: all together stay below 64 MiB. */
const MAX_SOURCES = 2_000;
const MAX_SOURCES_OF_CALL = 500;
/** Upper bound of containers in a pod that a query names. */
const CONTAINERS_OF_POD = 10;

/** How many containers may be followed at a time, over all calls. */
export class SourceBudget {
  #free = MAX_SOURCES;

  /** Containers that may be followed now. */
  get free(): number {
    return this.#free;
  }

  /** How many containers a call may follow; `giveBack` is called once. @throws Fault `over_budget` when there is no room for one more call */
  take(query: LogsQuery): { readonly sources: number; readonly giveBack: () => void } {
    const sources = Math.min(sourcesOf(query), this.#free);
    if (sources === 0) throw new Fault("over_budget", `this agent reads logs of ${MAX_SOURCES} containers at a time`);
    this.#free -= sources;
    return { sources, giveBack: () => void (this.#free += sources) };
  }
}

function sourcesOf({ targets, containers }: LogsQuery): number {
  const ofPod = containers.length === 0 ? CONTAINERS_OF_POD : containers.length;
  const named = targets.every(({ pod }) => pod !== undefined) ? targets.length * ofPod : MAX_SOURCES_OF_CALL;
  return Math.min(named, MAX_SOURCES_OF_CALL);
}

/** A response in one message, or in several of the same meaning when it is too large for kas. @throws Fault `message_too_large` */
export function* messagesOf(response: ReadLogsResponse): Generator<Uint8Array, void, void> {
  const bytes = toBinary(ReadLogsResponseSchema, response);
  if (bytes.byteLength <= MAX_BYTES) yield bytes;
  else for (const message of halvesOf(response)) yield* messagesOf(create(ReadLogsResponseSchema, { message }));
}

function halvesOf({ message }: ReadLogsResponse): readonly Message[] {
  switch (message.case) {
    case "sources": {
      const { sources, ...rest } = message.value;
      return halved(sources).map((half) => ({ case: "sources", value: { ...rest, sources: half } }));
    }
    case "lines": {
      const { lines, positions } = message.value;
      // Positions are behind all lines.
      if (lines.length === 0) return halved(positions).map((half) => ({ case: "lines", value: { positions: half } }));
      if (positions.length > 0)
        return [
          { case: "lines", value: { lines } },
          { case: "lines", value: { positions } },
        ];
      return halved(lines).map((half) => ({ case: "lines", value: { lines: half } }));
    }
    case "progress":
      return halved(message.value.progresses).map((half) => ({ case: "progress", value: { progresses: half } }));
    default:
      throw tooLarge();
  }
}

function halved<T>(items: readonly T[]): readonly T[][] {
  if (items.length < 2) throw tooLarge();
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

function tooLarge(): Fault {
  return new Fault("message_too_large", `one line or container of logs takes more than ${MAX_BYTES} bytes`);
}

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
