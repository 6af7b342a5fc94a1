import type { AgentCall } from "../agent-call/agent-call.ts";
import { isWatch, type CallContext } from "../agent-call/call-context.ts";
import type { RequestHead } from "./request-header.ts";

/** Go's agentk notices that a watch was cancelled only when it brings something; ending it early gives the tunnel back. */
const MAX_WATCH_SECONDS = 120;

/**
 * The request as this agent may be asked: towards an agent that is not ours a watch lasts the client's time or 120 s, whichever is
 * shorter. Whoever does not say that it is ours is not.
 */
export function boundWatch<T extends RequestHead & { readonly context: CallContext }>(request: T, call: Pick<AgentCall, "agentIsOurs">): T {
  if (call.agentIsOurs === true || request.context.class !== "watch" || !isWatch(request.query, request.path)) return request;
  const asked = request.query.get("timeoutSeconds") ?? "";
  const seconds = /^\d{1,9}$/.test(asked) && Number(asked) > 0 ? Math.min(Number(asked), MAX_WATCH_SECONDS) : MAX_WATCH_SECONDS;
  const query = new URLSearchParams(request.query);
  query.set("timeoutSeconds", String(seconds));
  return { ...request, query, rawTarget: undefined };
}
