import { Backoff, type Clock } from "@binnacle/rpc";

import { KubeClientError } from "../kube-client.ts";
import type { ViewConnection } from "../view-model.ts";

/** Between two proofs while all is well (also the pace of discovery, docs/design/view.md "What is watched"). */
const PROOF_INTERVAL_MS = 10_000;
/** A proof is given up after this; kas waits up to 20 s for an agent and then says so. */
const PROOF_TIMEOUT_MS = 25_000;
/** A proof that takes longer than this while connected means "reconnecting". */
const SLOW_PROOF_MS = 3_000;
/** No answer for this long from an agent whose kas is there means "offline" (docs/design/view.md "Sources and freshness"). */
const SILENCE_MS = 30_000;
/** After a watch has broken it does not take as long to believe it; kas holds requests back for 20 s before it says so. */
const SILENCE_AFTER_BREAK_MS = 10_000;

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
 * Owns the connection state of one view. It proves the way to the API server every 10 s, at once when somebody suspects it,
 * and with backoff while it is broken; whoever waits in `proven` is woken by the first answer.
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
  /** Since when nobody at all has said anything; a kas that refuses has said something, if not about the agent. */
  #quietSinceMs: number;
  #cancelSilence: () => void = () => {};

  constructor(options: ConnectionMonitorOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.now();
    this.#quietSinceMs = this.#startedAtMs;
    this.#connection = { state: "connecting", sinceMs: this.#startedAtMs, message: "" };
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
    this.#become("connected", "");
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
      if (timedOut) return new KubeClientError("timeout", "no answer in time", { cause: error });
      return error instanceof KubeClientError ? error : new KubeClientError("connection", "the connection failed", { cause: error });
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
        return this.#become("agent_offline", error.message);
      case "connection":
      case "unauthorized":
        this.#heard();
        if (this.#connection.state !== "connecting") this.#become("reconnecting", error.message);
        return;
      case "busy":
      case "timeout":
        if (this.#connection.state === "connected") this.#become("reconnecting", error.message);
        if (this.#isSilent()) this.#become("agent_offline", "the agent does not answer");
    }
  }

  #slow(): void {
    if (this.#connection.state === "connected") this.#become("reconnecting", "waiting for an answer");
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
      if (this.#isSilent()) this.#become("agent_offline", "the agent does not answer");
    });
  }

  #isSilent(): boolean {
    return this.#options.clock.now() >= this.#silentAtMs();
  }

  #silentAtMs(): number {
    const atMs = this.#quietSinceMs + SILENCE_MS;
    return this.#suspectedAtMs === undefined ? atMs : Math.min(atMs, this.#suspectedAtMs + SILENCE_AFTER_BREAK_MS);
  }

  #become(state: ViewConnection["state"], message: string): void {
    if (this.#connection.state === state) return;
    // "Offline since" is the last moment at which it was there, not the moment at which we noticed.
    const sinceMs =
      state === "agent_offline" || state === "reconnecting" ? (this.#answeredAtMs ?? this.#startedAtMs) : this.#options.clock.now();
    this.#connection = { state, sinceMs, message };
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
