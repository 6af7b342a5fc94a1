import { KubeClientError } from "@binnacle/environment-view";
import { TerminalEnd } from "@binnacle/proto/dashboard";
import { Fault, sleep, type Clock } from "@binnacle/rpc";
import { quoted, type Words } from "@binnacle/words";

import { MessageFault } from "../base/message-fault.ts";
import { CLOSE } from "../sockets/page-socket.ts";
import type { Features } from "../config/features.ts";

/** How a terminal ends; `undefined`: its page has disconnected. */
export interface Ended {
  readonly end: TerminalEnd | undefined;
  readonly exitCode?: number;
  /** Why. They are bounded when they are sent. */
  readonly words?: Words;
}

/** Ends as the log has them. */
export const END_NAMES: Readonly<Record<TerminalEnd, string>> = {
  [TerminalEnd.UNSPECIFIED]: "unknown",
  [TerminalEnd.EXITED]: "exited",
  [TerminalEnd.NO_SHELL]: "no_shell",
  [TerminalEnd.REFUSED]: "refused",
  [TerminalEnd.LOST]: "lost",
  [TerminalEnd.SIGNED_OUT]: "signed_out",
  [TerminalEnd.WITHDRAWN]: "access_withdrawn",
  [TerminalEnd.IDLE]: "idle",
  [TerminalEnd.TOO_LONG]: "too_long",
  [TerminalEnd.RESTART]: "draining",
  [TerminalEnd.NOT_RECORDED]: "not_recorded",
};

/** Close codes; others are 1000. */
export const END_CODES: Readonly<Partial<Record<TerminalEnd, number>>> = {
  [TerminalEnd.REFUSED]: CLOSE.withdrawn,
  [TerminalEnd.LOST]: CLOSE.failed,
  [TerminalEnd.SIGNED_OUT]: CLOSE.signedOut,
  [TerminalEnd.WITHDRAWN]: CLOSE.withdrawn,
  [TerminalEnd.IDLE]: CLOSE.idle,
  [TerminalEnd.TOO_LONG]: CLOSE.idle,
  [TerminalEnd.RESTART]: CLOSE.restart,
  [TerminalEnd.NOT_RECORDED]: CLOSE.failed,
};

/** The end that an error makes of a terminal; `undefined` for one that is a bug. */
export function endOfError(error: unknown): Ended | undefined {
  if (error instanceof KubeClientError) return { end: TerminalEnd.REFUSED, words: error.words };
  if (!(error instanceof Fault)) return undefined;
  return error.reason === "session_ended" ? { end: TerminalEnd.SIGNED_OUT } : { end: TerminalEnd.REFUSED, words: wordsOf(error) };
}

/** A failure for people: our words, or the sentence of the program that failed. */
export function wordsOf(fault: Fault): Words {
  return fault instanceof MessageFault ? fault.words : quoted(fault.message);
}

/** What the time of a terminal is measured with. */
interface TimeContext {
  readonly clock: Clock;
  readonly features: Features;
}

/** How long a terminal lasts, in all and without input or output. */
export class TerminalTime {
  readonly #clock: Clock;
  readonly #limits: Features["terminal_session"];
  readonly #startedMs: number;
  #usedMs: number;

  /** It begins now. */
  constructor({ clock, features }: TimeContext) {
    this.#clock = clock;
    this.#limits = features.terminal_session;
    this.#startedMs = clock.now();
    this.#usedMs = this.#startedMs;
  }

  get durationMs(): number {
    return this.#clock.now() - this.#startedMs;
  }

  /** There was input or output. */
  used(): void {
    this.#usedMs = this.#clock.now();
  }

  /** Settles when the time is over, or with `undefined` when `signal` aborts. */
  async untilOver(signal: AbortSignal): Promise<Ended | undefined> {
    const { idle_timeout: idleMs, max_duration: maxMs } = this.#limits;
    while (!signal.aborted) {
      const now = this.#clock.now();
      const [idleLeftMs, leftMs] = [this.#usedMs + idleMs - now, this.#startedMs + maxMs - now];
      if (leftMs <= 0) return { end: TerminalEnd.TOO_LONG };
      if (idleLeftMs <= 0) return { end: TerminalEnd.IDLE };
      await sleep(this.#clock, Math.min(idleLeftMs, leftMs), signal);
    }
    return undefined;
  }
}
