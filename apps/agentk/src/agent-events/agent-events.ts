import type { Clock } from "@binnacle/rpc";

/** Events that are retained. A quiet day has fewer, an hour with an unstable connection has more. */
const MAX_EVENTS = 100;

/** An event of the agent itself. No addresses, no names of the cluster or of people: every user of the agent sees it. */
export type AgentEvent =
  | { readonly what: "connected" | "connection-lost" | "connection-replaced" | "configuration-given" }
  | { readonly what: "configuration-applied"; readonly commit: string }
  /** `code`: of gRPC. */
  | { readonly what: "configuration-refused"; readonly code: number };

/** An event with its number and time. */
export interface RecordedEvent {
  /** From 1, ascending. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly event: AgentEvent;
}

/** Events of the agent itself, such as connections and configurations. The last hundred are retained. */
export class AgentEvents {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #recorded: readonly RecordedEvent[] = [];
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Oldest first. */
  get recorded(): readonly RecordedEvent[] {
    return this.#recorded;
  }

  /** Records an event of now, and notifies the listeners. */
  record(event: AgentEvent): void {
    this.#last += 1;
    const recorded = { number: this.#last, atMs: this.#clock.now(), event };
    this.#recorded = [...this.#recorded, recorded].slice(-MAX_EVENTS);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each event. @returns ends the subscription */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
