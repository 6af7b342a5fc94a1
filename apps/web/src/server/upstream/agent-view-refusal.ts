import { KubeClientError } from "@binnacle/environment-view";
import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { RememberedRefusal } from "./remembered-refusal.ts";

/**
 * Why a view of an agent is not told.
 * - `no-views`: the agent, or its kas, has none for anybody until it is another version or has another configuration.
 * - `not-offered`: this view will not be otherwise until somebody changes something.
 * - `no-room`: kas or the agent carries no more views now.
 * - `broken`: the way is, and the view may be had once it is well.
 */
export type AgentViewRefusal = "no-views" | "not-offered" | "no-room" | "broken";

/** Status codes that do not depend on what is asked for, nor on who asks. */
const NO_VIEWS: ReadonlySet<number> = new Set([404, 405, 501]);
/** Answers that are the same however often the same is asked. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 413, 415]);
const TOO_MANY_REQUESTS = 429;

/** What a failure of `agentViewStream` means. */
export function agentViewRefusalOf(error: unknown): AgentViewRefusal {
  // Anything else is no failure of the way, and another try would not help.
  if (!(error instanceof KubeClientError) || error.failure === "too_large") return "not-offered";
  const code = error.status?.code;
  if (code === TOO_MANY_REQUESTS) return "no-room";
  if (error.failure !== "api" || code === undefined) return "broken";
  return NO_VIEWS.has(code) ? "no-views" : NOT_OFFERED.has(code) ? "not-offered" : "broken";
}

const MAX_AGENTS = 10_000;

/** Agents that have no views, shared by all identities: what one request has found out no other has to ask for ten minutes. */
export class AgentsWithoutViews {
  readonly #refusals = new LRUCache<bigint, RememberedRefusal>({ max: MAX_AGENTS });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The one record of an agent. */
  of(agentId: bigint): RememberedRefusal {
    const refusal = this.#refusals.get(agentId) ?? new RememberedRefusal(this.#clock);
    this.#refusals.set(agentId, refusal);
    return refusal;
  }
}
