import type { ProveAnswer, TopicEnd, ViewsOffer, ViewUpdate } from "@binnacle/proto/kas-views";
import { Backoff, changeState, Fault, type StateTable } from "@binnacle/rpc";

import { ViewsCall, type ViewsCallOptions, type ViewsRequestInit } from "./views-call.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** How an agent's views can be reached. */
export interface ViewsConnection {
  /** `connecting`: not yet; `reconnecting`: lost; `offline`: no kas has a tunnel of the agent. */
  readonly state: "connecting" | "connected" | "reconnecting" | "offline";
  readonly sinceMs: number;
}

/**
 * `connecting` no call has stood yet · `connected` one stands · `reconnecting` it was lost · `offline` no kas has a tunnel of the agent ·
 * `unsupported` the agent offers no views, for good · `closed` for good. Before a call stands, an attempt or the delay before the next one is
 * in progress, which `stop` ends.
 */
export type PersistentCallState =
  | {
      readonly name: "connecting" | "reconnecting" | "offline";
      readonly sinceMs: number;
      /** Of the last attempt. */
      readonly fault: Fault;
      readonly stop: () => void;
    }
  | { readonly name: "connected"; readonly sinceMs: number; readonly call: ViewsCall; readonly offer: ViewsOffer }
  | { readonly name: "unsupported"; readonly sinceMs: number; readonly fault: Fault }
  | { readonly name: "closed"; readonly last: ViewsConnection };

/** `absent` no kas has a tunnel · `broken` any other failure of a call or an attempt · `retry` the delay is over. */
export type PersistentCallEvent = "offered" | "broken" | "absent" | "unsupported" | "retry" | "close";

/** Every change of state of the call. */
export const PERSISTENT_CALL_STATES: StateTable<PersistentCallState["name"], PersistentCallEvent> = {
  connecting: {
    offered: "connected",
    broken: "connecting",
    absent: "offline",
    unsupported: "unsupported",
    retry: "connecting",
    close: "closed",
  },
  connected: { offered: "connected", broken: "reconnecting", absent: "offline", unsupported: "unsupported", close: "closed" },
  reconnecting: {
    offered: "connected",
    broken: "reconnecting",
    absent: "offline",
    unsupported: "unsupported",
    retry: "reconnecting",
    close: "closed",
  },
  offline: {
    offered: "connected",
    broken: "reconnecting",
    absent: "offline",
    unsupported: "unsupported",
    retry: "offline",
    close: "closed",
  },
  unsupported: {},
  closed: {},
};

/** What happens to the connection, synchronously. */
export interface PersistentCallEvents {
  /** A call is open, the first or another one: all requests must be sent again. */
  up(offer: ViewsOffer): void;
  /** The agent offers something else than before, in the same call. */
  offeredAgain(offer: ViewsOffer): void;
  /** The connection has changed in any other manner. */
  changed(): void;
  /** The agent offers no views, and will not while it is what it is. Nothing follows. */
  refused(fault: Fault): void;
  proved(answer: ProveAnswer): void;
  updated(update: ViewUpdate, bytes: number): void;
  topicEnded(end: TopicEnd): void;
}

/** What it needs. */
export interface PersistentCallOptions extends ViewsCallOptions {
  readonly metrics: ViewsMetrics;
  /** 0 ≤ random() < 1. */
  readonly random?: (() => number) | undefined;
}

/** A call that held so long had nothing wrong with it. */
const HEALTHY_MS = 10_000;

/** The agent is not of a kind that offers views. */
const NOT_OFFERED: ReadonlySet<string> = new Set(["unknown_method", "agent_outdated", "cannot_impersonate"]);

/** Keeps one call to an agent for its views: one that breaks is made again, later each time. */
export class PersistentCall {
  readonly #options: PersistentCallOptions;
  readonly #events: PersistentCallEvents;
  readonly #backoff: Backoff;
  #state: PersistentCallState;

  constructor(options: PersistentCallOptions, events: PersistentCallEvents) {
    this.#options = options;
    this.#events = events;
    this.#backoff = new Backoff({ initialMs: 500, maxMs: 30_000, ...(options.random && { random: options.random }) });
    this.#state = { name: "connecting", sinceMs: options.clock.now(), fault: noOffer(), stop: this.#open() };
  }

  get state(): PersistentCallState["name"] {
    return this.#state.name;
  }

  /** For viewers: one that is closed stays as it was, and an agent without views is offline. */
  get connection(): ViewsConnection {
    const state = this.#state;
    if (state.name === "closed") return state.last;
    return { state: state.name === "unsupported" ? "offline" : state.name, sinceMs: state.sinceMs };
  }

  /** What the agent offers, while it is there. */
  get offer(): ViewsOffer | undefined {
    return this.#state.name === "connected" ? this.#state.offer : undefined;
  }

  /** Why no viewer is served now. */
  get fault(): Fault {
    return "fault" in this.#state ? this.#state.fault : noOffer();
  }

  /** Sends nothing while no call stands: what is to be sent then is sent at `up`. */
  send(request: ViewsRequestInit): void {
    if (this.#state.name === "connected") this.#state.call.send(request);
  }

  /** The agent did what it must not. */
  violated(what: string): void {
    if (this.#state.name === "connected") this.#state.call.violated(what);
  }

  close(): void {
    const state = this.#state;
    if (state.name === "closed" || state.name === "unsupported") return;
    this.#become("close", { name: "closed", last: this.connection });
    if (state.name !== "connected") return state.stop();
    this.#options.metrics.calls(-1);
    state.call.close();
  }

  #become(event: PersistentCallEvent, next: PersistentCallState): void {
    this.#state = changeState(PERSISTENT_CALL_STATES, this.#state, { event, next });
  }

  /** @returns gives the attempt up */
  #open(): () => void {
    const events = this.#events;
    const call = ViewsCall.open(this.#options, {
      proved: (answer) => events.proved(answer),
      updated: (update, bytes) => events.updated(update, bytes),
      topicEnded: (end) => events.topicEnded(end),
      offered: (offer) => this.#offered(call, offer),
      broken: (fault) => this.#broken(fault),
    });
    return () => call.close();
  }

  #offered(call: ViewsCall, offer: ViewsOffer): void {
    if (this.#state.name === "connected") {
      this.#become("offered", { ...this.#state, offer });
      return this.#events.offeredAgain(offer);
    }
    this.#options.metrics.calls(1);
    this.#become("offered", { name: "connected", sinceMs: this.#options.clock.now(), call, offer });
    this.#events.up(offer);
  }

  #broken(fault: Fault): void {
    const { clock, metrics } = this.#options;
    const { state, sinceMs } = this.connection;
    const nowMs = clock.now();
    if (state === "connected") {
      metrics.calls(-1);
      if (nowMs - sinceMs >= HEALTHY_MS) this.#backoff.reset();
    }
    if (NOT_OFFERED.has(fault.reason)) {
      this.#become("unsupported", { name: "unsupported", sinceMs: nowMs, fault });
      return this.#events.refused(fault);
    }
    const event = fault.reason === "agent_not_connected" ? "absent" : "broken";
    const name = event === "absent" ? "offline" : state === "connecting" ? "connecting" : "reconnecting";
    // An agent that is found to be offline has been so for as long as it could not be reached.
    const isSame = name === state || (name === "offline" && state !== "connected");
    const failed = { name, sinceMs: isSame ? sinceMs : nowMs, fault } as const;
    const stop = clock.after(this.#backoff.nextMs(), () => this.#become("retry", { ...failed, stop: this.#open() }));
    this.#become(event, { ...failed, stop });
    this.#events.changed();
  }
}

function noOffer(): Fault {
  return new Fault("deadline", "the agent has not reported in time what may be read");
}
