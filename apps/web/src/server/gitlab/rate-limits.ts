import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import { LRUCache } from "lru-cache";

import { MessageFault } from "../base/message-fault.ts";

const MAX_CREDENTIALS = 10_000;
/** For an answer that names no time. */
const DEFAULT_SECONDS = 30;
/** A proxy may name any time; an operator must not have to restart web after a mistake there. */
const MAX_SECONDS = 600;

/**
 * Credentials for which GitLab accepts no requests for a while (429 with `Retry-After`, docs.gitlab.com "Rate limits"): requests that would be rejected
 * are not sent. One viewer's limit delays no other viewer.
 */
export class RateLimits {
  readonly #clock: Clock;
  /** By credential: milliseconds since the epoch. */
  readonly #untilMs = new LRUCache<string, number>({ max: MAX_CREDENTIALS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws MessageFault `main_application_unavailable` while no request of the credential is accepted */
  check(credential: string): void {
    const leftMs = (this.#untilMs.get(credential) ?? 0) - this.#clock.now();
    // A clock that was put back must not make it longer.
    if (leftMs > 0 && leftMs <= MAX_SECONDS * 1_000) throw rateLimited(Math.ceil(leftMs / 1_000));
  }

  /** A request was rejected. @param retryAfter the header @returns what to throw */
  rejected(credential: string | undefined, retryAfter: string | undefined): MessageFault {
    const seconds = secondsOf(retryAfter, this.#clock.now());
    if (credential !== undefined) this.#untilMs.set(credential, this.#clock.now() + seconds * 1_000);
    return rateLimited(seconds);
  }
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(header: string | undefined, nowMs: number): number {
  const text = header?.trim() ?? "";
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1_000;
  return Number.isNaN(seconds) ? DEFAULT_SECONDS : Math.min(Math.max(1, Math.ceil(seconds)), MAX_SECONDS);
}

function rateLimited(seconds: number): MessageFault {
  return new MessageFault("main_application_unavailable", words("main-application/rate-limited", { seconds }));
}
