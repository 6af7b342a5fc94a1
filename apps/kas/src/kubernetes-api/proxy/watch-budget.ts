import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";

import { Fault } from "@binnacle/rpc";

import type { WatchBudget } from "../../agent-call/agent-call.ts";
import type { CallClass } from "../../agent-call/call-context.ts";

/** Marks a watch of a client that can list now and then instead. */
const MARK = "kas-watch-budget";

/** `Kas-Agent-Watch-Budget`, when it is known. */
export function budgetHeaders(budget: WatchBudget | undefined): OutgoingHttpHeaders {
  return budget === undefined ? {} : { "kas-agent-watch-budget": `${budget.limit};free=${Math.max(0, budget.free)}` };
}

/**
 * A marked watch beyond the budget is refused at once, so that its client samples instead of waiting for a tunnel.
 *
 * @throws Fault `watch_budget_spent`
 */
export function checkWatchBudget(request: IncomingMessage, callClass: CallClass, budget: WatchBudget | undefined): void {
  if (callClass !== "watch" || budget === undefined || budget.free > 0 || request.headers[MARK] !== "sample") return;
  throw new Fault("watch_budget_spent", `the agent's ${budget.limit} watches are in use; list now and then instead`, {
    retryAfterSeconds: 30,
  });
}
