import type { Clock, FaultReason } from "@binnacle/rpc";

import { FairThrottle } from "./fair-throttle.ts";
import type { Rate } from "./refilling-tokens.ts";

export type { Rate } from "./refilling-tokens.ts";

/** How long a call waits that says nothing else. */
const DEFAULT_WAIT_MS = 20_000;
const COME_BACK_WITHIN_MS = 60_000;

/** Lets `burst` calls through at once and `perSecond` from then on; further callers wait their turn, or are refused at once. */
export class TokenBucket {
  readonly #throttle: FairThrottle<"calls">;

  /** @param reason of the fault that a refused caller gets */
  constructor(clock: Clock, rate: Rate, reason: FaultReason = "gitaly_unavailable") {
    this.#throttle = new FairThrottle({
      clock,
      rate,
      lanes: { calls: { weight: 1, comeBackWithinMs: COME_BACK_WITHIN_MS } },
      busy: { reason, message: "more calls are waiting than can be made in time" },
    });
  }

  /**
   * Settles when it is this caller's turn. A caller that cancels, or could not have a turn in time, takes nothing.
   *
   * @param flow whose calls take turns with those of others, for example an agent's id
   * @throws Fault of the constructor's reason with `retryAfterSeconds`, or `cancelled`: the call must not be made
   */
  take(signal: AbortSignal, maxWaitMs = DEFAULT_WAIT_MS, flow = ""): Promise<void> {
    return this.#throttle.take({ lane: "calls", standing: "known", flow, maxWaitMs, signal });
  }

  /** For a caller who had a turn and could not use it. */
  giveBack(): void {
    this.#throttle.giveBack();
  }
}
