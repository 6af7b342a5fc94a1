import type { ProveAnswer, TopicEnd, ViewsOffer, ViewUpdate } from "@binnacle/proto/kas-views";
import { Backoff, Fault } from "@binnacle/rpc";

import { ViewsCall, type ViewsCallOptions, type ViewsRequestInit } from "./views-call.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** How the way to an agent's views is. */
export interface ViewsWay {
  /** `connecting`: not yet; `reconnecting`: lost; `offline`: no kas has a tunnel of the agent. */
  readonly state: "connecting" | "connected" | "reconnecting" | "offline";
  readonly sinceMs: number;
}

/** What happens on the way, synchronously. */
export interface KeptCallEvents {
  /** A call stands, the first or another one: everything has to be said anew. */
  up(offer: ViewsOffer): void;
  /** The agent offers something else than before, in the same call. */
  offeredAgain(offer: ViewsOffer): void;
  /** The way has changed in any other manner. */
  changed(): void;
  /** The agent offers no views, and will not while it is what it is. Nothing follows. */
  refused(fault: Fault): void;
  proved(answer: ProveAnswer): void;
  updated(update: ViewUpdate, bytes: number): void;
  topicEnded(end: TopicEnd): void;
}

/** What it needs. */
export interface KeptCallOptions extends ViewsCallOptions {
  readonly metrics: ViewsMetrics;
  /** 0 ≤ random() < 1. */
  readonly random?: (() => number) | undefined;
}

/** A call that held so long had nothing wrong with it. */
const HEALTHY_MS = 10_000;

/** Keeps one call to an agent for its views: one that breaks is made again, later each time. */
export class KeptCall {
  readonly #options: KeptCallOptions;
  readonly #events: KeptCallEvents;
  readonly #backoff: Backoff;
  #call: ViewsCall | undefined;
  #way: ViewsWay;
  #offer: ViewsOffer | undefined;
  #lastFault: Fault | undefined;
  #cancelRetry = (): void => undefined;
  #closed = false;

  constructor(options: KeptCallOptions, events: KeptCallEvents) {
    this.#options = options;
    this.#events = events;
    this.#backoff = new Backoff({ initialMs: 500, maxMs: 30_000, ...(options.random && { random: options.random }) });
    this.#way = { state: "connecting", sinceMs: options.clock.now() };
    this.#open();
  }

  get way(): ViewsWay {
    return this.#way;
  }

  /** What the agent offers, while it is there. */
  get offer(): ViewsOffer | undefined {
    return this.#way.state === "connected" ? this.#offer : undefined;
  }

  /** Why nobody is served now. */
  get fault(): Fault {
    return this.#lastFault ?? new Fault("deadline", "the agent has not said in time what may be read");
  }

  /** Goes nowhere while the call does not stand: what is to be said then is said at `up`. */
  send(request: ViewsRequestInit): void {
    if (this.#way.state === "connected") this.#call?.send(request);
  }

  /** The agent did what it must not. */
  violated(what: string): void {
    this.#call?.violated(what);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelRetry();
    if (this.#way.state === "connected") this.#options.metrics.calls(-1);
    this.#call?.close();
  }

  #open(): void {
    const events = this.#events;
    this.#call = ViewsCall.open(this.#options, {
      proved: (answer) => events.proved(answer),
      updated: (update, bytes) => events.updated(update, bytes),
      topicEnded: (end) => events.topicEnded(end),
      offered: (offer) => this.#offered(offer),
      broken: (fault) => this.#broken(fault),
    });
  }

  #offered(offer: ViewsOffer): void {
    this.#offer = offer;
    if (this.#way.state === "connected") return this.#events.offeredAgain(offer);
    this.#options.metrics.calls(1);
    this.#lastFault = undefined;
    this.#way = { state: "connected", sinceMs: this.#options.clock.now() };
    this.#events.up(offer);
  }

  #broken(fault: Fault): void {
    if (this.#closed) return;
    const { clock, metrics } = this.#options;
    const { state, sinceMs } = this.#way;
    this.#lastFault = fault;
    if (state === "connected") {
      metrics.calls(-1);
      if (clock.now() - sinceMs >= HEALTHY_MS) this.#backoff.reset();
    }
    if (NOT_OFFERED.has(fault.reason)) {
      this.#closed = true;
      this.#way = { state: "offline", sinceMs: clock.now() };
      return this.#events.refused(fault);
    }
    const next = fault.reason === "agent_not_connected" ? "offline" : state === "connecting" ? "connecting" : "reconnecting";
    if (next !== state) this.#way = { state: next, sinceMs: next === "offline" && state !== "connected" ? sinceMs : clock.now() };
    this.#cancelRetry = clock.after(this.#backoff.nextMs(), () => this.#open());
    this.#events.changed();
  }
}

/** The agent is not of a kind that offers views. */
const NOT_OFFERED: ReadonlySet<string> = new Set(["unknown_method", "agent_outdated", "cannot_impersonate"]);
