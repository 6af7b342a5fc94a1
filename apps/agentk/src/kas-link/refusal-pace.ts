import { GRPC_CODE, type GrpcStatus, type Metadata } from "@binnacle/grpc-wire";
import { Backoff, type BackoffOptions, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

/** Delay after RESOURCE_EXHAUSTED (kas' limit per token and minute): at least this long, and longer each time it is repeated. */
const THROTTLED: BackoffOptions = { initialMs: 5_000, maxMs: 60_000 };
/** After this long without such an answer the next one counts as the first. */
const THROTTLE_FORGOTTEN_MS = 120_000;
/** kas may request a longer delay, up to this: a broken or hostile one must not switch the agent off for ever. */
const MAX_REQUESTED_MS = 300_000;
/** Jitter: never earlier than kas requests, but up to this share of it later, so that agents with the same delay do not return together. */
const SPREAD = 0.2;
/** Longest sentence of kas that is logged. */
const MAX_REASON_CHARACTERS = 300;

/** What a pace needs. */
export interface RefusalPaceOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly backoff: BackoffOptions;
  /** 0 ≤ random() < 1, for the jitter of the delay that kas requested; a test passes a fixed one. */
  readonly random?: () => number;
  /** The constant sentences of the log. */
  readonly words: { readonly refused: string; readonly accepted: string };
  /** Hears what is logged as news: that refusals have begun or changed. @param code of gRPC */
  readonly refused?: (code: number) => void;
  /** Hears that they have ended. */
  readonly accepted?: () => void;
}

/**
 * How long to wait after kas rejected something, and what is logged about it: one line when rejections begin or change, one when they end.
 * RESOURCE_EXHAUSTED has a backoff of its own that no success resets, because an agent at its limit has successes all the time.
 */
export class RefusalPace {
  readonly #options: RefusalPaceOptions;
  readonly #backoff: Backoff;
  readonly #throttle = new Backoff(THROTTLED);
  #throttledAtMs = Number.NEGATIVE_INFINITY;
  /** Code of the refusals that were logged last; undefined while kas accepts. */
  #refusedWith: number | undefined;
  #cancelRecovery = (): void => {};

  constructor(options: RefusalPaceOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff);
  }

  /** @returns milliseconds to wait before the next attempt */
  refused(status: GrpcStatus, trailer: Metadata): number {
    this.#cancelRecovery();
    const throttled = status.code === GRPC_CODE.resourceExhausted;
    const ownMs = throttled ? this.#throttledMs() : this.#backoff.nextMs();
    const { random = Math.random } = this.#options;
    const delayMs = Math.round(Math.max(ownMs, requestedMs(trailer) * (1 + random() * SPREAD)));
    const fields = { code: status.code, reason: status.message.slice(0, MAX_REASON_CHARACTERS), retry_ms: delayMs };
    const { log, words } = this.#options;
    if (this.#refusedWith === status.code) log.debug(fields, words.refused);
    else {
      log.warn(fields, words.refused);
      this.#options.refused?.(status.code);
    }
    this.#refusedWith = status.code;
    return delayMs;
  }

  /** kas has taken what it had refused before. */
  accepted(): void {
    this.#backoff.reset();
    this.presumed();
  }

  /** kas has not refused it so far: that ends what the log says of refusals, but a refusal that takes this long still counts for the backoff. */
  presumed(): void {
    if (this.#refusedWith === undefined) return;
    this.#cancelRecovery();
    // At a limit acceptance and refusal take turns: that is one state.
    if (this.#refusedWith !== GRPC_CODE.resourceExhausted) return this.#recovered();
    this.#cancelRecovery = this.#options.clock.after(THROTTLED.maxMs, () => this.#recovered());
  }

  /** Ends the timer; nothing more is logged. */
  close(): void {
    this.#cancelRecovery();
  }

  #recovered(): void {
    this.#refusedWith = undefined;
    this.#options.log.info(this.#options.words.accepted);
    this.#options.accepted?.();
  }

  #throttledMs(): number {
    const now = this.#options.clock.now();
    if (now - this.#throttledAtMs > THROTTLE_FORGOTTEN_MS) this.#throttle.reset();
    this.#throttledAtMs = now;
    return Math.max(THROTTLED.initialMs, this.#throttle.nextMs());
  }
}

/**
 * The delay that kas requested in `retry-after-ms` or `retry-after` (seconds), capped; 0 for nothing or nonsense. Only digits are a time (RFC 9110,
 * 10.2.3): a date, a fraction, a sign or two values are not.
 */
function requestedMs(trailer: Metadata): number {
  const requested = digitsOf(trailer.get("retry-after-ms")) ?? (digitsOf(trailer.get("retry-after")) ?? 0) * 1_000;
  return Math.min(requested, MAX_REQUESTED_MS);
}

function digitsOf(values: readonly string[] | undefined): number | undefined {
  const [value = "", ...more] = values ?? [];
  return more.length === 0 && /^\d+$/.test(value) ? Number(value) : undefined;
}
