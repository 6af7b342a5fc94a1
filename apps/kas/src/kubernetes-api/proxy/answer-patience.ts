import type { IncomingMessage } from "node:http";

import { isPatience, type CallClass, type CallContext } from "../../agent-call/call-context.ts";

/** How many seconds the client gives the agent to begin its answer. It is for kas alone: the cluster does not see it. */
const MARK = "kas-answer-within";

/**
 * What the client wants to wait for the beginning of an answer: it gives up soon and hears whose silence it was. A watch has nothing to
 * answer until something happens.
 */
export function patienceOf(request: IncomingMessage, callClass: CallClass): Pick<CallContext, "answerWithinMs"> {
  const value = request.headers[MARK];
  if (typeof value !== "string" || !/^\d{1,2}$/.test(value) || callClass === "watch" || callClass === "upgrade") return {};
  const answerWithinMs = Number(value) * 1_000;
  return isPatience(answerWithinMs) ? { answerWithinMs } : {};
}
