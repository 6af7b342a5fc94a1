import { Fault } from "@binnacle/rpc";

import type { HttpExchangeRequest, HttpExchangeVia } from "./http-exchange.ts";
import { IdleTimer } from "./idle-timer.ts";
import { noAnswerMs, PATIENT_STALL_MS, STALL_MS } from "./silence-limits.ts";

/**
 * Ends exchanges in which somebody keeps silent: the agent that does not answer, the client that does not send what it announced, the
 * client that does not read. Each of them holds a tunnel that others may need.
 */
export class SilenceGuard {
  readonly #via: HttpExchangeVia;
  readonly #request: HttpExchangeRequest;
  readonly #noAnswerMs: number | undefined;
  readonly #agent: IdleTimer;
  readonly #client: IdleTimer;
  readonly #reader: IdleTimer;
  #waitsFor: "client" | "agent" | "nobody" = "nobody";
  #answered = false;
  /** How often the reader was looked at since it took anything. */
  #looks = 0;

  /** @param onSilence called once, with a Fault `agent_silent`, `upload_stalled` or `reader_stalled` */
  constructor(via: HttpExchangeVia, request: HttpExchangeRequest, onSilence: (fault: Fault) => void) {
    const { clock } = via;
    const { path, query, context } = request;
    const limitMs = noAnswerMs({ path, query, class: context.class });
    this.#via = via;
    this.#request = request;
    this.#noAnswerMs = limitMs;
    this.#agent = new IdleTimer(clock, () =>
      onSilence(new Fault("agent_silent", `the agent took the request, but has not begun to answer in ${(limitMs ?? 0) / 1_000} s`)),
    );
    this.#client = new IdleTimer(clock, () =>
      onSilence(new Fault("upload_stalled", `the client has sent nothing of the rest of its request for ${STALL_MS / 1_000} s`)),
    );
    this.#reader = new IdleTimer(clock, () => this.#lookAtReader(onSilence));
  }

  /** Whose turn it is in the request; told of every piece of a body. */
  waitsFor(who: "client" | "agent" | "nobody"): void {
    if (who === this.#waitsFor) {
      this.#agent.touch();
      this.#client.touch();
      return;
    }
    this.#waitsFor = who;
    if (who === "client") this.#client.start(STALL_MS);
    else this.#client.stop();
    if (who === "agent" && !this.#answered && this.#noAnswerMs !== undefined) this.#agent.start(this.#noAnswerMs);
    else this.#agent.stop();
  }

  /** The answer has begun. */
  answered(): void {
    this.#answered = true;
    this.#agent.stop();
  }

  /** The client's side takes no more. */
  readerFull(): void {
    this.#looks = 0;
    this.#reader.start(STALL_MS);
  }

  readerMoved(): void {
    this.#reader.stop();
  }

  /** Nobody is waited for any more. */
  stop(): void {
    this.waitsFor("nobody");
    this.#reader.stop();
  }

  #lookAtReader(onSilence: (fault: Fault) => void): void {
    this.#looks += 1;
    const stalledMs = this.#looks * STALL_MS;
    const isShort = this.#via.isShort?.(this.#request.agentId, this.#request.context.caller) ?? false;
    if (!isShort && stalledMs < PATIENT_STALL_MS) return this.#reader.start(STALL_MS);
    onSilence(new Fault("reader_stalled", `the client has read nothing of the answer for ${stalledMs / 1_000} s`));
  }
}
