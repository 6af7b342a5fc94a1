import type { Fault } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";

import type { CallClass } from "../../agent-call/call-context.ts";
import type { AnswerHead, ExchangeFailure, HttpExchange, HttpExchangeRequest, HttpExchangeSink } from "../http-exchange.ts";
import { openHttpExchange } from "../open-http-exchange.ts";
import { contextOf } from "../../agent-call/testing/call-context.ts";
import { ScriptedRouter, type ScriptedCall } from "../../agent-call/testing/scripted-router.ts";

/** Records what it receives; takes everything unless `room` is false. */
export class RecordingSink implements HttpExchangeSink {
  readonly heard: string[] = [];
  room = true;
  attempts = 0;
  failure: ExchangeFailure | undefined;

  continue(): void {
    this.heard.push("continue");
  }

  header({ status, attempts }: AnswerHead): void {
    this.attempts = attempts;
    this.heard.push(`header ${status}`);
  }

  data(body: Uint8Array): boolean {
    this.heard.push(Buffer.from(body.subarray(0, 20)).toString());
    return this.room;
  }

  end(): void {
    this.heard.push("end");
  }

  fail(failure: ExchangeFailure): void {
    this.heard.push("fail");
    this.failure = failure;
  }

  endConnection(): void {
    this.heard.push("end connection");
  }
}

/** What a request through an exchange may have of its own. */
type Changes = Partial<HttpExchangeRequest> & { readonly class?: CallClass };

/** HTTP exchanges with a scripted agent, on a clock that stands still. */
export class ExchangeBench {
  readonly clock = new ManualClock();
  readonly router = new ScriptedRouter();
  /** Agents that broke the rules, with the reason. */
  readonly violations: [bigint, string][] = [];
  /** Reasons of calls that were cut for silence. */
  readonly silences: string[] = [];
  /** Whether the agent is short of bytes or tunnels. */
  isShort = false;

  constructor() {
    this.router.onRequest = () => undefined;
  }

  /** Opens an exchange: a GET, or a POST when its class is a mutation, that waits 20 s for its agent. */
  async open(changes: Changes = {}): Promise<{ readonly sink: RecordingSink; readonly exchange: HttpExchange }> {
    const sink = new RecordingSink();
    const { class: callClass = "safe", ...rest } = changes;
    const via = {
      router: this.router,
      clock: this.clock,
      isShort: () => this.isShort,
      onViolation: (agentId: bigint, fault: Fault) => void this.violations.push([agentId, fault.reason]),
      onSilence: (reason: string) => void this.silences.push(reason),
    };
    const request = {
      agentId: 7n,
      context: contextOf({ class: callClass, waitMs: 20_000 }),
      signal: new AbortController().signal,
      method: callClass === "mutation" ? "POST" : "GET",
      path: "/api/v1/pods",
      query: new URLSearchParams(),
      header: {},
      ...rest,
    };
    return { sink, exchange: await openHttpExchange(via, request, sink) };
  }

  /** A call that reached the agent; -1 is the last. @throws Error when there is none */
  callAt(index: number): ScriptedCall {
    const call = this.router.calls.at(index);
    if (!call) throw new Error(`there is no call ${index}`);
    return call;
  }
}
