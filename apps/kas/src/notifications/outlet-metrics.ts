import { Counter, Gauge, type Registry } from "prom-client";

/** What is counted of receivers of notifications; their names come from the configuration. */
export interface OutletMetrics {
  count(receiver: string, outcome: "delivered" | "failed" | "dropped"): void;
  /** @param queued called when the metrics are read */
  watch(receiver: string, queued: () => number): void;
}

/** Declares the metrics. */
export function createOutletMetrics(registry: Registry): OutletMetrics {
  const queues = new Map<string, () => number>();
  const counted = new Counter({
    name: "kas_notifications_total",
    help: "Notifications by receiver: delivered, tried in vain (and perhaps tried again), or dropped",
    labelNames: ["receiver", "outcome"],
    registers: [registry],
  });
  const queued = new Gauge({
    name: "kas_notifications_queued",
    help: "Notifications that wait for a receiver",
    labelNames: ["receiver"],
    registers: [registry],
    collect() {
      for (const [receiver, length] of queues) this.set({ receiver }, length());
    },
  });
  // Declared for its collect function.
  void queued;
  return {
    count: (receiver, outcome) => counted.inc({ receiver, outcome }),
    watch: (receiver, length) => void queues.set(receiver, length),
  };
}
