import type { IncomingMessage, ServerResponse } from "node:http";

import { Fault, type Clock } from "@binnacle/rpc";

import type { AgentRouter } from "../../agent-call/agent-call.ts";
import type { Caller } from "../../agent-call/call-context.ts";
import type { AuditedAction } from "@binnacle/telemetry/audit";
import { LOG_BOUNDS, parseLogsQuery } from "../../logs/logs-call.ts";
import type { LogsMetrics } from "../../logs/logs-metrics.ts";
import type { CallerAccess } from "../access/caller-access.ts";
import type { Exchange } from "../http/exchange.ts";
import { recheckAccess } from "../access/live-access.ts";
import { LogsStream } from "./logs-stream.ts";
import { refusalOf } from "../http/proxy-refusal.ts";
import { readStreamRequest } from "./stream-request.ts";

/** What lets people read logs through agents. */
export interface LogsEndpointOptions {
  readonly callers: CallerAccess;
  readonly router: AgentRouter;
  readonly clock: Clock;
  readonly metrics: LogsMetrics;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** How long a request waits for its agent. */
  readonly waitMs: number;
  /** Called for each violation of an agent. Default: none. */
  readonly onViolation?: (agentId: bigint, fault: Fault) => void;
  /** Whether others need what this caller holds. Default: never. */
  readonly isShort?: (agentId: bigint, caller: Caller) => boolean;
}

/** The audited action: neither names of pods nor the pattern. */
const LOGS: AuditedAction = { verb: "get", apiGroup: "binnacle", resource: "logs" };

/**
 * `POST <prefix>binnacle/v1/logs` of the Kubernetes proxy: logs that the agent reads as the caller, merged and filtered where they are. The body is
 * one binary `kas.v1.LogsQuery`; the answer is a stream of `LOGS_TYPE`. Credentials and refusals are those of any request to the cluster, and an
 * agent that does not offer it is a `Status` 501.
 */
export class LogsEndpoint {
  readonly #options: LogsEndpointOptions;
  readonly #path: string;
  readonly #open = new Set<LogsStream>();

  constructor(options: LogsEndpointOptions) {
    this.#options = options;
    this.#path = `${options.pathPrefix}binnacle/v1/logs`;
  }

  /** Answers a request that is for it. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith(this.#path) !== true || request.url.split("?", 1)[0] !== this.#path) return false;
    void this.#options.callers.handle(request, response, (exchange) => this.#answer(exchange)); // never rejects
    return true;
  }

  /** This kas shuts down: readers are notified to reconnect elsewhere. */
  leave(): void {
    const refusal = refusalOf(new Fault("shutting_down", "this kas goes away; read again"));
    for (const stream of this.#open) stream.end(refusal);
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { response, headers, traceId, signal, audit } = exchange;
    const { callers, router, clock, metrics, pathPrefix, waitMs, onViolation, isShort } = this.#options;
    const endpoint = { callers, clock, pathPrefix, action: LOGS, what: "logs", maxBytes: LOG_BOUNDS.bodyBytes };
    const { credential, access, body } = await readStreamRequest(exchange, endpoint);
    const { agentId, caller, identity } = access;
    const counted = { bytesIn: body.byteLength, bytesOut: 0 };
    audit.counts(counted);
    const query = parseLogsQuery(body);
    if (response.destroyed) return;
    const stream = new LogsStream({
      response,
      headers,
      clock,
      metrics,
      isShort: () => isShort?.(agentId, caller) ?? false,
      onBytes: (sent) => void (counted.bytesOut += sent),
    });
    const stopProving = recheckAccess(
      clock,
      () => callers.prove(credential, access),
      (error) => stream.end(refusalOf(error)),
    );
    this.#count(stream, response, stopProving);
    const call = { router, agentId, query, identity, caller, traceId, waitMs, signal };
    await stream.open({ ...call, onViolation: (fault) => onViolation?.(agentId, fault) });
  }

  #count(stream: LogsStream, response: ServerResponse, stopProving: () => void): void {
    const { metrics } = this.#options;
    this.#open.add(stream);
    metrics.streams(1);
    response.once("close", () => {
      stopProving();
      this.#open.delete(stream);
      metrics.streams(-1);
    });
  }
}
