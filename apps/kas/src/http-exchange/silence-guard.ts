import { Fault } from "@binnacle/rpc";

import type { HttpExchangeRequest, HttpExchangeVia } from "./http-exchange.ts";
import { IdleTimer } from "./idle-timer.ts";
import { noAnswerMs, PATIENT_STALL_MS, STALL_MS } from "./silence-limits.ts";

/**
 * Ends exchanges in which a party does not respond: the agent that does not answer, the client that does not send what it announced, the
 * client that does not read. Each of them occupies a tunnel that others may need.
 */
export class SilenceGuard {
  readonly #via: HttpExchangeVia;
  readonly #request: HttpExchangeRequest;
  readonly #noAnswerMs: number | undefined;
  readonly #onSilence: (fault: Fault) => void;
  /** Each is made when it is first needed: most requests have no body, and most readers keep up. */
  #agent: IdleTimer | undefined;
  #client: IdleTimer | undefined;
  #reader: IdleTimer | undefined;
  #waitsFor: "client" | "agent" | "none" = "none";
  #answered = false;
  /** How often the reader was looked at since it took anything. */
  #looks = 0;

  /** @param onSilence called once, with a Fault `agent_silent`, `upload_stalled` or `reader_stalled` */
  constructor(via: HttpExchangeVia, request: HttpExchangeRequest, onSilence: (fault: Fault) => void) {
    const { path, query, context } = request;
    this.#via = via;
    this.#request = request;
    this.#noAnswerMs = noAnswerMs({ path, query, class: context.class });
    this.#onSilence = onSilence;
  }

  /** Sets the party that must act next; called for every piece of a body. */
  waitsFor(who: "client" | "agent" | "none"): void {
    if (who === this.#waitsFor) {
      this.#agent?.touch();
      this.#client?.touch();
      return;
    }
    this.#waitsFor = who;
    if (who === "client") this.#awaitClient();
    else this.#client?.stop();
    if (who === "agent" && !this.#answered && this.#noAnswerMs !== undefined) this.#awaitAgent(this.#noAnswerMs);
    else this.#agent?.stop();
  }

  /** The answer has begun. */
  answered(): void {
    this.#answered = true;
    this.#agent?.stop();
  }

  /** The client's side takes no more. */
  readerFull(): void {
    this.#looks = 0;
    this.#reader ??= new IdleTimer(this.#via.clock, () => this.#lookAtReader());
    this.#reader.start(STALL_MS);
  }

  readerMoved(): void {
    this.#reader?.stop();
  }

  /** Stops waiting. */
  stop(): void {
    this.waitsFor("none");
    this.#reader?.stop();
  }

  #awaitClient(): void {
    this.#client ??= new IdleTimer(this.#via.clock, () =>
      this.#onSilence(new Fault("upload_stalled", `the client has sent nothing of the rest of its request for ${STALL_MS / 1_000} s`)),
    );
    this.#client.start(STALL_MS);
  }

  #awaitAgent(limitMs: number): void {
    this.#agent ??= new IdleTimer(this.#via.clock, () =>
      this.#onSilence(new Fault("agent_silent", `the agent took the request, but has not begun to answer in ${limitMs / 1_000} s`)),
    );
    this.#agent.start(limitMs);
  }

  #lookAtReader(): void {
    this.#looks += 1;
    const stalledMs = this.#looks * STALL_MS;
    const isShort = this.#via.isShort?.(this.#request.agentId, this.#request.context.caller) ?? false;
    if (!isShort && stalledMs < PATIENT_STALL_MS) return this.#reader?.start(STALL_MS);
    this.#onSilence(new Fault("reader_stalled", `the client has read nothing of the answer for ${stalledMs / 1_000} s`));
  }
}
