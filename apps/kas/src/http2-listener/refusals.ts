import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";
import type { ListenerName, RefusalReason, RoutingMetrics } from "../agent-call/routing-metrics.ts";

/** What one listener needs to count and log what it refuses. */
export interface RefusalsOptions {
  readonly listener: ListenerName;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<RoutingMetrics, "refused">;
}

/** Something that was refused. */
export interface Refusal {
  /** Address of the client. */
  readonly peer: string;
  readonly reason: RefusalReason;
  /** The error that was sent to the client, or why its connection broke. */
  readonly error?: unknown;
}

const LINE_MS = 60_000;
const MAX_PEERS = 10_000;

/** Counts every refusal of a listener, and logs one line per peer and minute, so that a flood of requests does not flood the log. */
export class Refusals {
  readonly #options: RefusalsOptions;
  readonly #peers = new LRUCache<string, { loggedAtMs: number; unlogged: number }>(atMost(MAX_PEERS));

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  note({ peer, reason, error }: Refusal): void {
    const { listener, clock, log, metrics } = this.#options;
    metrics.refused(listener, reason);
    const now = clock.now();
    const known = this.#peers.get(peer);
    if (known && now - known.loggedAtMs < LINE_MS) {
      known.unlogged += 1;
      return;
    }
    this.#peers.set(peer, { loggedAtMs: now, unlogged: 0 });
    const message = error instanceof Error ? error.message : undefined;
    log.warn({ listener, peer, reason, ...(message !== undefined && { message }), unlogged: known?.unlogged ?? 0 }, "refused");
  }
}
