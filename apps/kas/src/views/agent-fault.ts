import { Fault, type FaultReason } from "@binnacle/rpc";

/** What an agent may say of a view. Not among them: that a caller is not signed in, which is not its to say. */
const SAYABLE = [
  "invalid_request",
  "agent_forbidden",
  "environment_forbidden",
  "not_found",
  "rate_limited",
  "over_budget",
  "watch_budget_spent",
  "queue_full",
  "message_too_large",
  "not_implemented",
  "cannot_impersonate",
  "unknown_method",
  "agent_outdated",
  "cluster_unavailable",
  "cluster_silent",
  "deadline",
  "shutting_down",
] as const satisfies readonly FaultReason[];

const WORDS: ReadonlyMap<string, FaultReason> = new Map(SAYABLE.map((reason) => [reason, reason]));
/** Trying again may help. */
const TRANSIENT: ReadonlySet<FaultReason> = new Set(["cluster_unavailable", "cluster_silent", "deadline", "shutting_down", "rate_limited"]);
const MAX_TEXT = 500;

/** What an agent says went wrong, in words that callers know; any other word is that of a cluster that does not answer. */
export function agentFault(reason: string, message: string): Fault {
  return new Fault(WORDS.get(reason) ?? "cluster_unavailable", message.slice(0, MAX_TEXT));
}

/** Whether a topic that ended so may be begun again. */
export function isTransient({ reason }: Fault): boolean {
  return TRANSIENT.has(reason);
}
