import { create } from "@bufbuild/protobuf";
import type { Organization, OrganizationAgent, OrganizationFiles, Principal, UserEntry } from "@binnacle/organization";
import { ImpersonationConfigSchema, type ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault, type Clock } from "@binnacle/rpc";

import { CachedLookup } from "../main-application/cached-lookup.ts";
import type {
  AllowedAgents,
  AuthorizationAsking,
  CallerAuthorizer,
  OrganizationUser,
  UserCredential,
} from "../main-application/proxy-authorizer.ts";
import type { RefusalRecorder } from "../main-application/refused-credentials.ts";
import type { VerifiedUser } from "./id-token-verifier.ts";
import type { PasswordUser } from "./user-tokens.ts";

/** What callers are authorized with. */
export interface OrganizationAuthorizerOptions {
  readonly files: OrganizationFiles;
  /** Of ID tokens: those of a provider of identities, or kas's own. */
  readonly verifier: { verify(token: string): Promise<VerifiedUser | PasswordUser> };
  readonly clock: Clock;
  readonly refusals: RefusalRecorder;
  /** In front of names in the cluster: "oidc:user:". */
  readonly usernamePrefix: string;
  /** In front of groups in the cluster: "oidc:group:". */
  readonly groupsPrefix: string;
}

/** A user by an ID token, or the owner of a personal access token. */
type Authenticated = VerifiedUser | PasswordUser | UserEntry;

/** Two hundred groups and two keys of a chain of certificates fit. */
const MAX_TOKEN_BYTES = 12 * 1024;
/** A token that was verified is verified again after this: its key may have been withdrawn. */
const VERIFIED_MS = 60_000;
const REFUSED_MS = 10_000;

/** Users with an ID token or a personal access token, and the agents that the files of an organization let them use. */
export class OrganizationAuthorizer implements CallerAuthorizer {
  readonly #options: OrganizationAuthorizerOptions;
  readonly #verified: CachedLookup<VerifiedUser | PasswordUser>;
  /** By what the decision depends on. */
  readonly #decisions = new WeakMap<Organization, WeakMap<Authenticated, Map<bigint, OrganizationUser>>>();

  constructor(options: OrganizationAuthorizerOptions) {
    this.#options = options;
    this.#verified = new CachedLookup(options.clock, { okMs: VERIFIED_MS, refusedMs: REFUSED_MS });
  }

  knownUser(agentId: bigint, { kind, accessKey }: UserCredential, asking: AuthorizationAsking): OrganizationUser | undefined {
    if (accessKey.length > MAX_TOKEN_BYTES) return undefined;
    if (kind === "personal_access_token") {
      const owner = this.#ownerOf(accessKey);
      return owner && this.#decisionsOf(owner).get(agentId);
    }
    if (kind !== "id_token") return undefined;
    const verified = this.#verified.known([accessKey], asking);
    return verified === undefined || this.#hasExpired(verified) ? undefined : this.#decisionsOf(verified).get(agentId);
  }

  user(agentId: bigint, { kind, accessKey }: UserCredential, asking: AuthorizationAsking): Promise<OrganizationUser> {
    const { refusals, verifier } = this.#options;
    return refusals.watch({ kind, address: asking.address }, async () => {
      if (accessKey.length > MAX_TOKEN_BYTES) throw new Fault("token_unknown", "unauthenticated");
      if (kind === "personal_access_token") {
        const owner = this.#ownerOf(accessKey);
        if (owner !== undefined) return this.#decide(agentId, owner);
      }
      if (kind !== "id_token") throw new Fault("token_unknown", "unauthenticated");
      const verified = await this.#verified.get([accessKey], asking, () => verifier.verify(accessKey));
      if (this.#hasExpired(verified)) throw new Fault("token_unknown", "unauthenticated");
      return this.#decide(agentId, verified);
    });
  }

  /** There are no jobs without a main application. */
  job(_token: string, { address }: AuthorizationAsking): Promise<AllowedAgents> {
    return this.#options.refusals.watch({ kind: "job_token", address }, () =>
      Promise.reject(new Fault("token_unknown", "unauthenticated")),
    );
  }

  #hasExpired({ expiresAtMs }: VerifiedUser): boolean {
    return expiresAtMs <= this.#options.clock.now();
  }

  #ownerOf(token: string): UserEntry | undefined {
    const { files, clock } = this.#options;
    return files.current.userOfToken(token, clock.now());
  }

  #decisionsOf(who: Authenticated): Map<bigint, OrganizationUser> {
    const { current } = this.#options.files;
    const byUser = this.#decisions.get(current) ?? new WeakMap<Authenticated, Map<bigint, OrganizationUser>>();
    this.#decisions.set(current, byUser);
    const byAgent = byUser.get(who) ?? new Map<bigint, OrganizationUser>();
    byUser.set(who, byAgent);
    return byAgent;
  }

  /** @throws Fault `agent_forbidden`, also for an agent that does not exist; `token_unknown` when the files no longer have the user */
  #decide(agentId: bigint, who: Authenticated): OrganizationUser {
    const decisions = this.#decisionsOf(who);
    const known = decisions.get(agentId);
    if (known !== undefined) return known;
    const { current } = this.#options.files;
    // Of the list of users the groups are those of now, not those of the sign-in.
    const principal: Principal | undefined = "mark" in who ? current.userWithPassword(who.name, who.mark) : who;
    if (principal === undefined) throw new Fault("token_unknown", "unauthenticated");
    const agent = agentId <= Number.MAX_SAFE_INTEGER ? current.agent(Number(agentId)) : undefined;
    const access = agent && current.accessTo(agent.id, principal);
    if (agent === undefined || access === undefined)
      throw new Fault("agent_forbidden", "the files of the organization do not list the user");
    const accessType = "expiresAtMs" in who ? "id_token" : "personal_access_token";
    const user: OrganizationUser = {
      agent: { id: agent.id, config_project: { id: agent.projectId } },
      username: principal.name,
      identity: access === "agent" ? undefined : this.#identityOf(agent, principal, accessType),
    };
    decisions.set(agentId, user);
    return user;
  }

  #identityOf(agent: OrganizationAgent, { name, groups }: Principal, accessType: string): ImpersonationConfig {
    const { usernamePrefix, groupsPrefix } = this.#options;
    const extra = (key: string, value: string): { key: string; val: string[] } => ({ key: `agent.gitlab.com/${key}`, val: [value] });
    return create(ImpersonationConfigSchema, {
      username: `${usernamePrefix}${name}`,
      groups: groups.map((group) => `${groupsPrefix}${group}`),
      extra: [
        extra("id", String(agent.id)),
        extra("username", name),
        extra("access_type", accessType),
        extra("config_project_id", String(agent.projectId)),
      ],
    });
  }
}
