import { Fault } from "@binnacle/rpc";

import type { AgentCallRequest } from "../agent-call/agent-call.ts";
import type { Presence } from "../reverse-tunnel/agent-tunnels.ts";
import type { PeerOutcome } from "./peer-call.ts";

/** What is known of one place where a tunnel may be: this kas, or another one (`asking`: it has not answered yet). */
export type Verdict = PeerOutcome | { readonly kind: Presence } | { readonly kind: "asking" };

/** Why no wait will help. */
export interface Refusal {
  readonly fault: Fault;
  /** An agent may be replaced by a better one in this moment: such refusals are looked at twice. */
  readonly provisional: boolean;
}

/**
 * The refusal that all places together are; `undefined` while one of them may still give a tunnel, and when none has the agent at all:
 * it may come.
 */
export function refusalOf(request: AgentCallRequest, verdicts: readonly Verdict[]): Refusal | undefined {
  let refused: Fault | undefined;
  for (const verdict of verdicts) {
    if (verdict.kind === "refused") refused ??= verdict.fault;
    else if (verdict.kind === "asking" || verdict.kind === "failed" || verdict.kind === "busy" || verdict.kind === "free") return undefined;
  }
  if (refused) return { fault: refused, provisional: false };
  const fault = permanentFault(request, new Set(verdicts.map((verdict) => verdict.kind)));
  return fault && { fault, provisional: true };
}

/** Why there was no tunnel in time, as exactly as the verdicts allow. The caller has waited already, so there is no retry delay. */
export function timeoutFault(request: AgentCallRequest, verdicts: readonly Verdict[]): Fault {
  const agent = `agent ${request.agentId}`;
  const { waitMs } = request.context;
  const kinds = new Set(verdicts.map((verdict) => verdict.kind));
  if (kinds.has("busy") || kinds.has("free"))
    return new Fault("tunnels_busy", `${agent} is connected, but none of its tunnels became free in ${waitMs} ms`);
  const refused = verdicts.find((verdict) => verdict.kind === "refused");
  if (refused) return refused.fault;
  const permanent = permanentFault(request, kinds);
  if (permanent) return permanent;
  const failed = verdicts.find((verdict) => verdict.kind === "failed");
  if (failed || kinds.has("asking")) {
    const cause = new Error(failed ? failed.message : "no answer");
    return new Fault("peer_unreachable", `${agent} is connected to another kas, which cannot be reached`, { cause });
  }
  return new Fault("agent_not_connected", `${agent} was not connected in ${waitMs} ms`);
}

function permanentFault({ agentId, method, connectionId }: AgentCallRequest, kinds: ReadonlySet<Verdict["kind"]>): Fault | undefined {
  const agent = `agent ${agentId} is connected, but`;
  if (kinds.has("cannot_impersonate"))
    return new Fault("cannot_impersonate", `${agent} cannot act on behalf of users: update it, or let it act as itself`);
  if (kinds.has("cannot_upgrade")) {
    const message = `${agent} cannot upgrade connections, which exec, attach, cp and port-forward need: update it to 15.1 or later`;
    return new Fault("cannot_upgrade", message);
  }
  if (kinds.has("unknown_method")) return new Fault("unknown_method", `${agent} does not offer ${method}; is it up to date?`);
  if (kinds.has("outdated")) return new Fault("agent_outdated", `${agent} does not offer what the request needs; is it up to date?`);
  if (kinds.has("replica_not_addressable"))
    return new Fault("replica_not_addressable", `${agent} none of its replicas has the connection ${connectionId}; it is gone for good`);
  return undefined;
}
