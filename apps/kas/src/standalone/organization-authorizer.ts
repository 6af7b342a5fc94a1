import { create } from "@bufbuild/protobuf";
import type { Organization, OrganizationAgent, OrganizationFiles } from "@binnacle/organization";
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
import type { IdTokenVerifier, VerifiedUser } from "./id-token-verifier.ts";

/** What callers are authorized with. */
export interface OrganizationAuthorizerOptions {
  readonly files: OrganizationFiles;
  readonly verifier: Pick<IdTokenVerifier, "verify">;
  readonly clock: Clock;
  readonly refusals: RefusalRecorder;
  /** In front of names in the cluster: "oidc:user:". */
  readonly usernamePrefix: string;
  /** In front of groups in the cluster: "oidc:group:". */
  readonly groupsPrefix: string;
}

/** Two hundred groups and two keys of a chain of certificates fit. */
const MAX_TOKEN_BYTES = 12 * 1024;
/** A token that was verified is verified again after this: its key may have been withdrawn. */
const VERIFIED_MS = 60_000;
const REFUSED_MS = 10_000;

/** Users with an ID token, and the agents that the files of an organization let them use. */
export class OrganizationAuthorizer implements CallerAuthorizer {
  readonly #options: OrganizationAuthorizerOptions;
  readonly #verified: CachedLookup<VerifiedUser>;
  /** By what the decision depends on. */
  readonly #decisions = new WeakMap<Organization, WeakMap<VerifiedUser, Map<bigint, OrganizationUser>>>();

  constructor(options: OrganizationAuthorizerOptions) {
    this.#options = options;
    this.#verified = new CachedLookup(options.clock, { okMs: VERIFIED_MS, refusedMs: REFUSED_MS });
  }

  knownUser(agentId: bigint, { kind, accessKey }: UserCredential, asking: AuthorizationAsking): OrganizationUser | undefined {
    if (kind !== "id_token" || accessKey.length > MAX_TOKEN_BYTES) return undefined;
    const verified = this.#verified.known([accessKey], asking);
    return verified === undefined || this.#hasExpired(verified) ? undefined : this.#decisionsOf(verified).get(agentId);
  }

  user(agentId: bigint, { kind, accessKey }: UserCredential, asking: AuthorizationAsking): Promise<OrganizationUser> {
    const { refusals, verifier } = this.#options;
    return refusals.watch({ kind, address: asking.address }, async () => {
      if (kind !== "id_token" || accessKey.length > MAX_TOKEN_BYTES) throw new Fault("token_unknown", "unauthenticated");
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

  #decisionsOf(verified: VerifiedUser): Map<bigint, OrganizationUser> {
    const { current } = this.#options.files;
    const byUser = this.#decisions.get(current) ?? new WeakMap<VerifiedUser, Map<bigint, OrganizationUser>>();
    this.#decisions.set(current, byUser);
    const byAgent = byUser.get(verified) ?? new Map<bigint, OrganizationUser>();
    byUser.set(verified, byAgent);
    return byAgent;
  }

  /** @throws Fault `agent_forbidden`, also for an agent that does not exist */
  #decide(agentId: bigint, verified: VerifiedUser): OrganizationUser {
    const decisions = this.#decisionsOf(verified);
    const known = decisions.get(agentId);
    if (known !== undefined) return known;
    const { current } = this.#options.files;
    const agent = agentId <= Number.MAX_SAFE_INTEGER ? current.agent(Number(agentId)) : undefined;
    const access = agent && current.accessTo(agent.id, verified);
    if (agent === undefined || access === undefined)
      throw new Fault("agent_forbidden", "the files of the organization do not list the user");
    const user: OrganizationUser = {
      agent: { id: agent.id, config_project: { id: agent.projectId } },
      username: verified.name,
      identity: access === "agent" ? undefined : this.#identityOf(agent, verified),
    };
    decisions.set(agentId, user);
    return user;
  }

  #identityOf(agent: OrganizationAgent, { name, groups }: VerifiedUser): ImpersonationConfig {
    const { usernamePrefix, groupsPrefix } = this.#options;
    const extra = (key: string, value: string): { key: string; val: string[] } => ({ key: `agent.gitlab.com/${key}`, val: [value] });
    return create(ImpersonationConfigSchema, {
      username: `${usernamePrefix}${name}`,
      groups: groups.map((group) => `${groupsPrefix}${group}`),
      extra: [
        extra("id", String(agent.id)),
        extra("username", name),
        extra("access_type", "id_token"),
        extra("config_project_id", String(agent.projectId)),
      ],
    });
  }
}
