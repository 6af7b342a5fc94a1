import { KubeClientError } from "@binnacle/environment-view";

/**
 * Why a view of an agent is not told.
 * - `not-offered`: it will not be otherwise until somebody changes something.
 * - `no-room`: kas or the agent carries no more views now.
 * - `broken`: the way is, and the view may be had once it is well.
 */
export type AgentViewRefusal = "not-offered" | "no-room" | "broken";

/** Answers that are the same however often the same is asked. */
const PERMANENT: ReadonlySet<number> = new Set([400, 404, 405, 413, 415, 501]);
const TOO_MANY_REQUESTS = 429;

/** What a failure of `agentViewStream` means. */
export function agentViewRefusalOf(error: unknown): AgentViewRefusal {
  // Anything else is no failure of the way, and another try would not help.
  if (!(error instanceof KubeClientError) || error.failure === "too_large") return "not-offered";
  const code = error.status?.code;
  if (code === TOO_MANY_REQUESTS) return "no-room";
  return error.failure === "api" && code !== undefined && PERMANENT.has(code) ? "not-offered" : "broken";
}
