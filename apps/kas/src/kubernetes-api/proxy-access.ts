import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault } from "@binnacle/rpc";

import type { Caller } from "../agent-call/call-context.ts";
import type { AuthorizationAsking, ProxyAuthorizer } from "../main-application/proxy-authorizer.ts";
import { identityOfJob, identityOfUser } from "./impersonated-identity.ts";
import type { ProxyCredential } from "./proxy-credential.ts";
import { ProxyRefusal, refusalOfFault } from "./proxy-refusal.ts";

/** A caller who may use the agent. */
export interface ProxyAccess {
  readonly agentId: bigint;
  /** Whom the main application has recognised: limits and shares are his. */
  readonly caller: Caller;
  /** Absent: agentk's own identity acts. */
  readonly identity?: ImpersonationConfig;
  /** The caller may send `Impersonate-*` of his own: only where the agent acts, and never from a browser. */
  readonly mayImpersonate: boolean;
}

/**
 * Asks the main application whether the caller may use the agent, and as whom.
 *
 * @throws ProxyRefusal by the table of docs/design/contract.md "Status codes of the k8s-proxy"
 */
export async function authorize(
  authorizer: ProxyAuthorizer,
  credential: ProxyCredential,
  asking: AuthorizationAsking,
): Promise<ProxyAccess> {
  try {
    return credential.kind === "ci" ? await jobAccess(authorizer, credential, asking) : await userAccess(authorizer, credential, asking);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const refused = error.reason === "token_unknown" || error.reason === "agent_forbidden" || error.reason === "not_found";
    if (!refused) throw refusalOfFault(error);
    if (credential.kind !== "ci") throw ProxyRefusal.unauthorized();
    throw new ProxyRefusal(401, "the job token is not valid");
  }
}

async function userAccess(
  authorizer: ProxyAuthorizer,
  credential: Exclude<ProxyCredential, { kind: "ci" }>,
  asking: AuthorizationAsking,
): Promise<ProxyAccess> {
  const { agentId } = credential;
  const shown =
    credential.kind === "cookie"
      ? ({ kind: "session_cookie", accessKey: credential.session, csrfToken: credential.csrfToken } as const)
      : ({ kind: "personal_access_token", accessKey: credential.token } as const);
  const authorized = await authorizer.user(agentId, shown, asking);
  if (BigInt(authorized.agent.id) !== agentId)
    throw new Fault("main_application_unavailable", "the main application authorised another agent");
  const identity = identityOfUser(authorized, agentId, shown.kind);
  const caller = { kind: "user", id: String(authorized.user.id), projectId: BigInt(authorized.agent.config_project.id) } as const;
  return { agentId, caller, ...(identity && { identity }), mayImpersonate: identity === undefined && credential.kind === "pat" };
}

async function jobAccess(
  authorizer: ProxyAuthorizer,
  credential: Extract<ProxyCredential, { kind: "ci" }>,
  asking: AuthorizationAsking,
): Promise<ProxyAccess> {
  const allowed = await authorizer.job(credential.token, asking);
  const entry = allowed.allowed_agents.find((agent) => BigInt(agent.id) === credential.agentId);
  if (entry === undefined)
    throw new ProxyRefusal(403, "the job may not use this agent: it is not listed in ci_access of its configuration");
  const identity = identityOfJob(allowed, entry);
  const caller = { kind: "job", id: String(allowed.job.id), projectId: BigInt(entry.config_project.id) } as const;
  return { agentId: credential.agentId, caller, ...(identity && { identity }), mayImpersonate: identity === undefined };
}
