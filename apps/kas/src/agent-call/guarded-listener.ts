import { GRPC_CODE, type Metadata } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentCallListener, AnswerField, CallResult } from "./agent-call.ts";
import type { CallContext } from "./call-context.ts";
import type { RoutingMetrics } from "./routing-metrics.ts";

/** What a guard needs to tell of a call. */
export interface GuardOptions {
  readonly agentId: bigint;
  readonly method: string;
  readonly context: CallContext;
  readonly log: Logger;
  readonly metrics: RoutingMetrics;
}

/**
 * Stands between a call and its listener. A bug of the listener is logged and counted once, with the call it broke, and then
 * ends that call like any other error; a call that failed is a line in the log under its trace id.
 */
export class GuardedListener implements AgentCallListener {
  readonly #inner: AgentCallListener;
  readonly #options: GuardOptions;
  readonly body: AgentCallListener["body"];
  #reported = false;

  constructor(inner: AgentCallListener, options: GuardOptions) {
    this.#inner = inner;
    this.#options = options;
    this.body = inner.body && ((bytes, field) => this.#body(bytes, field));
  }

  header(metadata: Metadata): void {
    try {
      this.#inner.header(metadata);
    } catch (error) {
      this.#rethrow(error);
    }
  }

  message(data: Uint8Array): void {
    try {
      this.#inner.message(data);
    } catch (error) {
      this.#rethrow(error);
    }
  }

  end(result: CallResult): void {
    if (result.code !== GRPC_CODE.ok && result.code !== GRPC_CODE.cancelled) {
      const { code, stage, message } = result;
      this.#options.log.info({ ...fieldsOf(this.#options), code, stage, reason: message }, "a call failed");
    }
    try {
      this.#inner.end(result);
    } catch (error) {
      // Nothing is left that could be ended.
      this.#report(error);
    }
  }

  #body(bytes: Uint8Array, field: AnswerField): void {
    try {
      this.#inner.body?.(bytes, field);
    } catch (error) {
      this.#rethrow(error);
    }
  }

  #rethrow(error: unknown): never {
    if (!(error instanceof Fault)) this.#report(error);
    throw error;
  }

  #report(error: unknown): void {
    if (this.#reported) return;
    this.#reported = true;
    this.#options.metrics.listenerBug();
    this.#options.log.error({ error, ...fieldsOf(this.#options) }, "an error of ours ended a call");
  }
}

/** What log lines about one call have in common. */
export function fieldsOf({ agentId, method, context }: Pick<GuardOptions, "agentId" | "method" | "context">): {
  readonly agent_id: string;
  readonly method: string;
  readonly correlation_id: string;
} {
  return { agent_id: String(agentId), method, correlation_id: context.traceId };
}
