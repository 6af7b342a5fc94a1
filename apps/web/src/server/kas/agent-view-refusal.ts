import { KubeClientError } from "@binnacle/environment-view";

import { NO_ENDPOINT } from "../base/remembered-refusal.ts";

/**
 * Why a view of an agent is not sent.
 * - `no-views`: the agent, or its kas, has none for anybody until it is another version or has another configuration.
 * - `not-offered`: the answer stays the same until a configuration or a version changes.
 * - `no-room`: kas or the agent carries no more views now.
 * - `broken`: the way is, and the view may be had once it is well.
 */
export type AgentViewRefusal = "no-views" | "not-offered" | "no-room" | "broken";

/** Answers that stay the same when the request is repeated. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 413, 415]);
const TOO_MANY_REQUESTS = 429;

/** What a failure of `agentViewStream` means. */
export function agentViewRefusalOf(error: unknown): AgentViewRefusal {
  // Anything else is no failure of the way, and another try would not help.
  if (!(error instanceof KubeClientError) || error.failure === "too_large") return "not-offered";
  const code = error.status?.code;
  if (code === TOO_MANY_REQUESTS) return "no-room";
  if (error.failure !== "api" || code === undefined) return "broken";
  return NO_ENDPOINT.has(code) ? "no-views" : NOT_OFFERED.has(code) ? "not-offered" : "broken";
}
