import type { Clock } from "@binnacle/rpc";

import type { AuditedAction, AuditRecord, Principal } from "@binnacle/telemetry/audit";

/** Where finished records go; undefined where the audit is off. */
export interface AuditSink {
  readonly clock: Clock;
  readonly log: { add(record: AuditRecord): void } | undefined;
}

/** What passes the bytes of a request, and knows how many there were. */
export interface CountedBytes {
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** How it ended, where that is more than a status. */
  readonly outcome?: string;
}

/** What is known once the credential has been accepted. */
export interface AcceptedRequest {
  readonly principal: Principal;
  readonly agentId: bigint;
  readonly action: AuditedAction;
  /** The response has no end of its own: the begin has a record of its own. */
  readonly isStream: boolean;
}

/**
 * The record of one request: begins when the credential was accepted, is written when the response has ended. A request with an unknown
 * credential has no record.
 */
export class RequestAudit {
  readonly #sink: AuditSink;
  readonly #requestId: string;
  readonly #startedMs: number;
  #accepted: AcceptedRequest | undefined;
  #as: string | undefined;
  #bytes: CountedBytes | undefined;
  #finished = false;

  constructor(sink: AuditSink, requestId: string) {
    this.#sink = sink;
    this.#requestId = requestId;
    this.#startedMs = sink.clock.now();
  }

  /** The main application knows the caller; whether the request is allowed is not decided yet. */
  accepted(accepted: AcceptedRequest): void {
    this.#accepted = accepted;
  }

  /**
   * The request is authorized, as this user of the cluster. For a stream the begin is recorded.
   *
   * @param username undefined: the agent itself acts
   */
  allowed(username: string | undefined): void {
    this.#as = username ?? "agent";
    if (this.#accepted?.isStream === true) this.#add(this.#accepted, "start");
  }

  /** Sets the source of the request's byte counts. */
  counts(bytes: CountedBytes): void {
    this.#bytes = bytes;
  }

  /** The answer has ended. @param code its HTTP status */
  finish(code: number): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#accepted === undefined) return;
    const bytes = this.#bytes;
    const durationMs = Math.max(0, Math.round(this.#sink.clock.now() - this.#startedMs));
    const ended = { code, bytesIn: bytes?.bytesIn ?? 0, bytesOut: bytes?.bytesOut ?? 0, durationMs };
    const outcome = bytes?.outcome;
    const event = this.#accepted.isStream ? "end" : "complete";
    this.#add(this.#accepted, event, outcome === undefined ? ended : { ...ended, outcome });
  }

  #add(
    { principal, agentId, action }: AcceptedRequest,
    event: AuditRecord["event"],
    ended?: Pick<AuditRecord, "code" | "outcome" | "bytesIn" | "bytesOut" | "durationMs">,
  ): void {
    const { log, clock } = this.#sink;
    log?.add({
      atMs: clock.now(),
      requestId: this.#requestId,
      event,
      principal,
      ...(this.#as !== undefined && { as: this.#as }),
      agentId,
      action,
      ...ended,
    });
  }
}
