import { AGENT_WAIT_MS, Backoff, type Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import { KubeClientError } from "../base/kube-client.ts";
import type { ViewConnection } from "../stream/view-model.ts";

/** Between two proofs while all is well (also the pace of discovery, docs/design/view.md "What is watched"). */
const PROOF_INTERVAL_MS = 10_000;
/** A proof is given up after this: kas has reported by then that the agent is not connected. */
const PROOF_TIMEOUT_MS = AGENT_WAIT_MS + 5_000;
/** A proof that takes longer than this while connected means "reconnecting". */
const SLOW_PROOF_MS = 3_000;
/** No answer for this long from an agent whose kas is there means "offline" (docs/design/view.md "Sources and freshness"). */
const SILENCE_MS = 30_000;
/** After a watch has broken it does not take as long to believe it, nor as long as kas holds requests back before it says so. */
const SILENCE_AFTER_BREAK_MS = AGENT_WAIT_MS / 2;

/** So long kas or the API server must be away before it is called by its name: a restart takes as long. */
const GRACE_MS = 5_000;

const AGENT_SILENT = words("way/agent-silent");

/** What may be to blame beside the agent. */
type Culprit = "kas_unreachable" | "api_down";

/** What a monitor works with. */
export interface ConnectionMonitorOptions {
  readonly clock: Clock;
  /** One cheap request through to the API server; rejects with KubeClientError. */
  readonly prove: (signal: AbortSignal) => Promise<void>;
  /** The state has changed. */
  readonly changed: () => void;
  /** 0 ≤ random() < 1. */
  readonly random?: () => number;
}

/**
 * Owns the connection state of one view. It proves the connection to the API server every 10 s, at once when a failure is suspected,
 * and with backoff while it is broken; callers that wait in `proven` are woken by the first answer.
 */
export class ConnectionMonitor {
  readonly #options: ConnectionMonitorOptions;
  readonly #backoff: Backoff;
  readonly #waiting = new Set<() => void>();
  #connection: ViewConnection;
  #answeredAtMs: number | undefined;
  #startedAtMs: number;
  #poke: (() => void) | undefined;
  #proving = false;
  /** Since when something is broken without an answer. */
  #suspectedAtMs: number | undefined;
  /** Since when there was no answer at all; a rejection by kas is an answer, if not one about the agent. */
  #quietSinceMs: number;
  #cancelSilence: () => void = () => {};
  /** What the recent failures blame, and since when it is the same. */
  #culprit: { readonly who: Culprit; readonly sinceMs: number } | undefined;
  /** When the agent was last known to be away. */
  #offlineAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionMonitorOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.now();
    this.#quietSinceMs = this.#startedAtMs;
    this.#connection = { state: "connecting", sinceMs: this.#startedAtMs };
    this.#backoff = new Backoff({ initialMs: 500, maxMs: 5_000, ...(options.random === undefined ? {} : { random: options.random }) });
  }

  get connection(): ViewConnection {
    return this.#connection;
  }

  /** When the API server last answered, in milliseconds since the epoch. */
  get answeredAtMs(): number | undefined {
    return this.#answeredAtMs;
  }

  /** Proves until `signal` aborts. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const failure = await this.#prove(signal);
      if (signal.aborted) break;
      if (failure) this.#failed(failure);
      const isOften = failure !== undefined && failure.failure !== "too_large";
      await this.#pause(isOften ? this.#backoff.nextMs() : PROOF_INTERVAL_MS, signal);
    }
    this.#wake();
  }

  /** An answer of the API server came in by another request. */
  answered(): void {
    this.#answeredAtMs = this.#options.clock.now();
    this.#heard();
    this.#backoff.reset();
    this.#culprit = undefined;
    this.#become("connected");
    this.#wake();
  }

  /** Something broke: prove now instead of later. */
  suspect(): void {
    this.#suspectedAtMs ??= this.#options.clock.now();
    if (this.#proving) this.#expectAnswer();
    else this.#poke?.();
  }

  /** Settles with the next answer, or when `signal` aborts. */
  proven(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      if (signal.aborted) return resolve();
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  async #prove(signal: AbortSignal): Promise<KubeClientError | undefined> {
    const { clock } = this.#options;
    const attempt = new AbortController();
    const cancels = [clock.after(PROOF_TIMEOUT_MS, () => attempt.abort()), clock.after(SLOW_PROOF_MS, () => this.#slow())];
    const forward = (): void => attempt.abort();
    signal.addEventListener("abort", forward, { once: true });
    this.#proving = true;
    this.#expectAnswer();
    try {
      await this.#options.prove(attempt.signal);
      this.answered();
      return undefined;
    } catch (error) {
      const timedOut = attempt.signal.aborted && !signal.aborted;
      if (timedOut) return new KubeClientError("timeout", words("request/no-answer-in-time"), { cause: error });
      return error instanceof KubeClientError
        ? error
        : new KubeClientError("connection", words("request/connection-failed"), { cause: error });
    } finally {
      this.#proving = false;
      for (const cancel of [...cancels, this.#cancelSilence]) cancel();
      signal.removeEventListener("abort", forward);
    }
  }

  #failed(error: KubeClientError): void {
    switch (error.failure) {
      case "api":
      case "too_large":
        // It answered, if only to complain or without end: the way there is well.
        return this.answered();
      case "agent_offline":
        return this.#offline(error.words);
      case "kas_unreachable":
      case "api_down":
        return this.#blame(error.failure, error.words);
      case "connection":
      case "unauthorized":
        return this.#broken(error.words);
      case "busy":
        // Requests that wait for the API server hold the agent's tunnels: that says nothing new.
        if (this.#connection.state === "api_down") return this.#heard();
        this.#doubt(error.words);
        if (this.#isSilent()) this.#offline(AGENT_SILENT);
        return;
      case "no_watch":
      case "timeout":
        this.#doubt(error.words);
        if (this.#isSilent()) this.#offline(AGENT_SILENT);
    }
  }

  /** kas reports it, or there was no answer for too long. */
  #offline(why: Words): void {
    this.#culprit = undefined;
    this.#offlineAtMs = this.#options.clock.now();
    this.#become("agent_offline", why);
  }

  /** Kas or the API server is away: a moment later it is called by its name. */
  #blame(who: Culprit, why: Words): void {
    const now = this.#options.clock.now();
    this.#heard();
    if (this.#culprit?.who !== who) this.#culprit = { who, sinceMs: now };
    if (now - this.#culprit.sinceMs >= GRACE_MS) return this.#become(who, why);
    this.#doubt(why);
  }

  /**
   * The connection broke at an unknown place. What was known to be away still is: kas cuts the requests of an agent that it has just given
   * up, and that is no new information.
   */
  #broken(why: Words): void {
    this.#heard();
    this.#doubt(why);
    const isLongAgo = this.#options.clock.now() - this.#offlineAtMs > SILENCE_MS;
    const { state } = this.#connection;
    if ((state === "agent_offline" && isLongAgo) || state === "kas_unreachable") this.#become("reconnecting", why);
  }

  /** What was well is doubted; what is known to be away stays so. */
  #doubt(why: Words): void {
    if (this.#connection.state === "connected") this.#become("reconnecting", why);
  }

  #slow(): void {
    this.#doubt(words("way/waiting"));
  }

  #heard(): void {
    this.#quietSinceMs = this.#options.clock.now();
    this.#suspectedAtMs = undefined;
  }

  /** Says "offline" when the answer that is due has not come. */
  #expectAnswer(): void {
    const { clock } = this.#options;
    this.#cancelSilence();
    this.#cancelSilence = clock.after(Math.max(0, this.#silentAtMs() - clock.now()), () => {
      if (this.#isSilent()) this.#offline(AGENT_SILENT);
    });
  }

  #isSilent(): boolean {
    return this.#options.clock.now() >= this.#silentAtMs();
  }

  #silentAtMs(): number {
    const atMs = this.#quietSinceMs + SILENCE_MS;
    return this.#suspectedAtMs === undefined ? atMs : Math.min(atMs, this.#suspectedAtMs + SILENCE_AFTER_BREAK_MS);
  }

  #become(state: ViewConnection["state"], why?: Words): void {
    if (this.#connection.state === state) return;
    // "Offline since" is the last moment at which it was there, not the moment at which we noticed.
    const isAway = state !== "connected" && state !== "connecting";
    const sinceMs = isAway ? (this.#answeredAtMs ?? this.#startedAtMs) : this.#options.clock.now();
    this.#connection = { state, sinceMs, ...(why === undefined ? {} : { words: why }) };
    this.#options.changed();
  }

  #wake(): void {
    for (const done of this.#waiting) done();
  }

  #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        this.#poke = undefined;
        signal.removeEventListener("abort", done);
        resolve();
      };
      const cancel = this.#options.clock.after(delayMs, done);
      this.#poke = done;
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
    });
  }
}
