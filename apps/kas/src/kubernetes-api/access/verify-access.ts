import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AuthorizationAsking } from "../../main-application/proxy-authorizer.ts";
import { PROOF_MAX_AGE_MS, PROOF_TIMEOUT_MS } from "./live-access.ts";
import { accessKey, type ProxyAccess } from "./proxy-access.ts";
import { ProxyRefusal } from "../http/proxy-refusal.ts";

/** What is proved, and by whom. */
export interface AccessCheck {
  readonly clock: Clock;
  readonly log: Logger;
  /** What the stream began with. */
  readonly began: ProxyAccess;
  readonly authorize: (asking: AuthorizationAsking) => ProxyAccess | Promise<ProxyAccess>;
}

const TOO_LATE = new Fault("deadline", "the main application did not answer in time");
/** The main application is unavailable: busy, disconnected, too late. All other refusals mean that the rights are gone. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 499, 500, 503, 504]);

/**
 * One proof that a live stream may go on, as whom it began.
 *
 * @throws ProxyRefusal when the rights are gone or have changed; not when the main application is unavailable
 */
export async function verifyAccess({ clock, log, began, authorize }: AccessCheck): Promise<void> {
  const stop = new AbortController();
  const cancel = clock.after(PROOF_TIMEOUT_MS, () => stop.abort(TOO_LATE));
  let proved: ProxyAccess;
  try {
    proved = await authorize({ signal: stop.signal, maxAgeMs: PROOF_MAX_AGE_MS });
  } catch (error) {
    if (error instanceof ProxyRefusal && !TRANSIENT.has(error.code)) throw error;
    log.warn({ error }, "a live request could not be authorised again; it goes on");
    return;
  } finally {
    cancel();
  }
  if (accessKey(proved) !== accessKey(began)) throw changedAccess();
}

/** A stream never continues with another identity than at its begin, neither with fewer nor with more rights. */
export function changedAccess(): ProxyRefusal {
  return new ProxyRefusal(403, "the rights behind this stream have changed; begin again", { reason: "agent_forbidden" });
}
