import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import type { ServiceCallerSchema } from "@binnacle/proto/service-proxy";
import { Fault } from "@binnacle/rpc";

import type { Caller } from "../../agent-call/call-context.ts";
import type { Principal } from "@binnacle/telemetry/audit";
import type {
  AllowedAgents,
  AuthorizationAsking,
  AuthorizedUser,
  CallerAuthorizer,
  UserCredential,
} from "../../main-application/proxy-authorizer.ts";
import { identityOfJob, identityOfUser } from "./impersonated-identity.ts";
import type { ProxyCredential } from "./proxy-credential.ts";
import { ProxyRefusal, refusalOfFault } from "../http/proxy-refusal.ts";
import { userAccessModeOf } from "./access-mode.ts";

/** The identity of a caller for services of the cluster. */
type ServiceCallerInit = MessageInitShape<typeof ServiceCallerSchema>;

/** A caller who may use the agent. */
export interface ProxyAccess {
  readonly agentId: bigint;
  /** The caller that the main application has identified; owner of limits and shares. */
  readonly caller: Caller;
  readonly principal: Principal;
  /** Absent: agentk's own identity acts. */
  readonly identity?: ImpersonationConfig;
  /** The caller may send `Impersonate-*` headers: only where the agent itself acts, and the configuration of kas allows its kind. */
  readonly mayImpersonate: boolean;
  /** The caller's identity for services of the cluster. */
  readonly member: () => ServiceCallerInit;
}

/** Callers that may not send `Impersonate-*` where the agent itself acts: none, browsers and sign-ins, all. */
export type ForbiddenImpersonation = "none" | "cookie" | "all";

/** Who decides who may what. */
export interface AccessRules {
  readonly authorizer: CallerAuthorizer;
  readonly forbidImpersonation: ForbiddenImpersonation;
  /** Called once the main application has identified the caller, authorized or not. */
  readonly onRecognized?: (principal: Principal) => void;
}

/** Which rule it was, the main application alone knows: it lists agents that a job may use, and says no word of the others. */
const NOT_ALLOWED =
  "the job may not use this agent: ci_access of the agent's configuration does not list the job's project or one of its groups, " +
  "or only for other environments or for protected branches";

/**
 * Asks the main application whether the caller may use the agent, and as whom.
 *
 * @throws ProxyRefusal 401 for a bad credential, an unknown agent and a user who may not; 403 for a job that may not; 501 for rights of
 *   a kind we do not know; 503 when the main application is unavailable (docs/design/contract.md
 *   "Status codes of the k8s-proxy")
 */
export function authorize(
  rules: AccessRules,
  credential: ProxyCredential,
  asking: AuthorizationAsking,
): ProxyAccess | Promise<ProxyAccess> {
  if (credential.kind === "ci") return jobAccess(rules, credential, asking).catch((error: unknown) => refuse(error, credential));
  try {
    const shown = shownBy(credential);
    const known = rules.authorizer.knownUser(credential.agentId, shown, asking);
    if (known) return accessOfUser(rules, { credential, shown, authorized: known });
    return rules.authorizer
      .user(credential.agentId, shown, asking)
      .then((authorized) => accessOfUser(rules, { credential, shown, authorized }))
      .catch((error: unknown) => refuse(error, credential));
  } catch (error) {
    return refuse(error, credential);
  }
}

/** @throws ProxyRefusal */
function refuse(error: unknown, credential: ProxyCredential): never {
  if (!(error instanceof Fault)) throw error;
  const refused = error.reason === "token_unknown" || error.reason === "agent_forbidden" || error.reason === "not_found";
  if (!refused) throw refusalOfFault(error);
  if (credential.kind !== "ci") throw ProxyRefusal.unauthorized();
  throw new ProxyRefusal(401, "the job token is not valid: no job that runs has it", { reason: "token_unknown" });
}

/** A key for what an access allows: two keys differ when the rights or the identities differ. */
export function accessKey({ agentId, caller, identity, mayImpersonate }: ProxyAccess): string {
  const as = identity && [
    identity.username,
    identity.groups.toSorted(),
    identity.uid,
    identity.extra.map(({ key, val }) => JSON.stringify([key, val])).toSorted(),
  ];
  return JSON.stringify([String(agentId), caller.kind, caller.id, as ?? null, mayImpersonate]);
}

/** A credential of a user. */
type ShownByUser = Exclude<ProxyCredential, { kind: "ci" }>;

function shownBy(credential: ShownByUser): UserCredential {
  if (credential.kind === "cookie") return { kind: "session_cookie", accessKey: credential.session, csrfToken: credential.csrfToken };
  return { kind: credential.kind === "oidc" ? "id_token" : "personal_access_token", accessKey: credential.token };
}

/** By the answer that says it, which is for one agent and one kind of credential: a request need not work it out again. */
const users = new WeakMap<AuthorizedUser, Omit<ProxyAccess, "mayImpersonate">>();

/** @throws Fault `main_application_unavailable`, `access_mode_unknown` */
function accessOfUser(
  { forbidImpersonation, onRecognized }: AccessRules,
  of: { readonly credential: ShownByUser; readonly shown: UserCredential; readonly authorized: AuthorizedUser },
): ProxyAccess {
  const { credential, shown, authorized } = of;
  const { agentId } = credential;
  if (BigInt(authorized.agent.id) !== agentId)
    throw new Fault("main_application_unavailable", "the main application authorised another agent");
  let user = users.get(authorized);
  onRecognized?.(user?.principal ?? principalOf(authorized));
  if (user === undefined) {
    const isOfFiles = "identity" in authorized;
    const identity = isOfFiles ? authorized.identity : identityOfUser(authorized, agentId, shown.kind);
    const id = isOfFiles ? `oidc:${authorized.username}` : String(authorized.user.id);
    const caller = { kind: "user", id, projectId: BigInt(authorized.agent.config_project.id) } as const;
    user = { agentId, caller, principal: principalOf(authorized), ...(identity && { identity }), member: () => callerOfUser(authorized) };
    users.set(authorized, user);
  }
  return { ...user, mayImpersonate: user.identity === undefined && mayChoose(forbidImpersonation, credential) };
}

function principalOf(authorized: AuthorizedUser): Principal {
  if ("identity" in authorized) return { kind: "user", username: authorized.username };
  return { kind: "user", username: authorized.user.username, id: authorized.user.id };
}

async function jobAccess(
  { authorizer, forbidImpersonation, onRecognized }: AccessRules,
  credential: Extract<ProxyCredential, { kind: "ci" }>,
  asking: AuthorizationAsking,
): Promise<ProxyAccess> {
  const allowed = await authorizer.job(credential.token, asking);
  const principal = { kind: "job", id: allowed.job.id, projectId: allowed.project.id } as const;
  onRecognized?.(principal);
  const entry = allowed.allowed_agents.find((agent) => BigInt(agent.id) === credential.agentId);
  if (entry === undefined) throw new ProxyRefusal(403, NOT_ALLOWED, { reason: "agent_forbidden" });
  const identity = identityOfJob(allowed, entry);
  const caller = { kind: "job", id: String(allowed.job.id), projectId: BigInt(entry.config_project.id) } as const;
  const mayImpersonate = identity === undefined && mayChoose(forbidImpersonation, credential);
  return {
    agentId: credential.agentId,
    caller,
    principal,
    ...(identity && { identity }),
    mayImpersonate,
    member: () => callerOfJob(allowed),
  };
}

function mayChoose(forbidden: ForbiddenImpersonation, credential: ProxyCredential): boolean {
  return forbidden === "none" || (forbidden === "cookie" && credential.kind !== "cookie" && credential.kind !== "oidc");
}

/** The role that a job has in its own project and groups: an entry that names it lets jobs in. */
const JOB_ROLE = "ci_job";

/** A user: the name, and the roles that grant access to the agent, where the main application reports them (`access_as: user`). */
function callerOfUser(authorized: AuthorizedUser): ServiceCallerInit {
  if ("identity" in authorized) return { username: authorized.username };
  const { user, access_as: accessAs } = authorized;
  const mode = userAccessModeOf(accessAs);
  const held = (list: readonly { readonly id: number; readonly roles: readonly string[] }[]) =>
    list.map(({ id, roles }) => ({ id: BigInt(id), roles: [...roles] }));
  return { username: user.username, ...(mode.kind === "user" && { projects: held(mode.projects), groups: held(mode.groups) }) };
}

/** A job: never the person who started it. */
function callerOfJob({ project }: AllowedAgents): ServiceCallerInit {
  const asJob = ({ id }: { readonly id: number }) => ({ id: BigInt(id), roles: [JOB_ROLE] });
  return { username: "", projects: [asJob(project)], groups: project.groups.map(asJob) };
}
