import { Counter, Gauge, type Registry } from "prom-client";

/** What views of agents count. */
export interface ViewsMetrics {
  /** Calls to agents that carry views; a number more or less. */
  calls(change: 1 | -1): void;
  topics(change: 1 | -1): void;
  subscribers(change: 1 | -1): void;
  /** Bytes of a message came from an agent, or left to a subscriber. */
  bytes(direction: "in" | "out", bytes: number): void;
  /** A change of a topic is whole, or a piece of one has left. */
  update(direction: "in" | "out"): void;
  /** The result of a query for rights. */
  proof(outcome: "same" | "changed" | "failed" | "unanswered"): void;
  /** A subscriber receives full state: at its begin, after a change of its rights, or when it has missed too much. */
  reset(reason: "first" | "rights" | "missed"): void;
}

/** Counts nothing. */
export const noViewsMetrics: ViewsMetrics = {
  calls: () => undefined,
  topics: () => undefined,
  subscribers: () => undefined,
  bytes: () => undefined,
  update: () => undefined,
  proof: () => undefined,
  reset: () => undefined,
};

/** Makes the metrics in a registry. @param held bytes that are kept */
export function createViewsMetrics(registry: Registry, held: () => number): ViewsMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, collect?: (this: Gauge) => void) =>
    new Gauge({ name, help, registers, ...(collect && { collect }) });
  gauge("kas_view_held_bytes", "Bytes of views of agents that are kept here", function collectHeld() {
    this.set(held());
  });
  const counter = (name: string, help: string, label: string) => new Counter({ name, help, labelNames: [label], registers });
  const calls = gauge("kas_view_calls_open", "Calls to agents that carry views");
  const topics = gauge("kas_view_topics", "Views of agents that are kept here, however many look at each");
  const subscribers = gauge("kas_view_subscribers", "Who looks at views of agents here");
  const bytes = counter("kas_view_bytes_total", "Bytes of views that came from agents, or left to subscribers", "direction");
  const updates = counter("kas_view_updates_total", "Whole changes of views from agents, and updates to subscribers", "direction");
  const proofs = counter("kas_view_proofs_total", "Questions to agents about rights, by what came of them", "outcome");
  const resets = counter("kas_view_resets_total", "Subscribers that began anew, by why", "reason");
  return {
    calls: (change) => calls.inc(change),
    topics: (change) => topics.inc(change),
    subscribers: (change) => subscribers.inc(change),
    bytes: (direction, count) => bytes.labels(direction).inc(count),
    update: (direction) => updates.labels(direction).inc(),
    proof: (outcome) => proofs.labels(outcome).inc(),
    reset: (reason) => resets.labels(reason).inc(),
  };
}
