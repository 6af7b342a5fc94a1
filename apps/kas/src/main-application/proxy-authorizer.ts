import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault, type Clock } from "@binnacle/rpc";
import { z } from "zod";

import { CachedLookup, type Asking, type CacheTtl } from "./cached-lookup.ts";
import { MAX_CREDENTIAL_BYTES } from "./credential-size.ts";
import { unanswered, type MainApplicationClient } from "./main-application-client.ts";
import { noRefusals, type RefusalRecorder } from "./refused-credentials.ts";

/** What a user shows. */
export type UserCredential =
  | { readonly kind: "session_cookie"; readonly accessKey: string; readonly csrfToken: string }
  | { readonly kind: "personal_access_token"; readonly accessKey: string }
  | { readonly kind: "id_token"; readonly accessKey: string };

const id = z.int();
const authorizedSchema = z.object({
  agent: z.object({ id, config_project: z.object({ id }) }),
  user: z.object({ id, username: z.string().min(1) }),
  /** Parsed by its consumer: one invalid entry must not make the others unusable. */
  access_as: z.unknown().optional(),
});

const allowedAgentsSchema = z.object({
  allowed_agents: z.array(
    z.object({
      id,
      config_project: z.object({ id }),
      configuration: z.object({ default_namespace: z.string().nullish(), access_as: z.unknown().optional() }).nullish(),
    }),
  ),
  job: z.object({ id }),
  pipeline: z.object({ id }),
  project: z.object({ id, groups: z.array(z.object({ id })).default([]) }),
  user: z.object({ id, username: z.string(), roles_in_project: z.array(z.string()).default([]) }),
  environment: z.object({ slug: z.string(), tier: z.string().nullish() }).nullish(),
});

/** A user of the main application who may use an agent, and as whom. */
export type MainApplicationUser = z.output<typeof authorizedSchema>;

/** A user of an organization's files who may use an agent. */
export interface OrganizationUser {
  readonly agent: MainApplicationUser["agent"];
  /** As the provider of identities names the user, without a prefix. */
  readonly username: string;
  /** Absent: agentk's own identity acts. */
  readonly identity: ImpersonationConfig | undefined;
}

/** A user who may use an agent, and as whom. */
export type AuthorizedUser = MainApplicationUser | OrganizationUser;

/** What a job's token opens. */
export type AllowedAgents = z.output<typeof allowedAgentsSchema>;

/** Who wants to know, and how fresh the answer must be: a proof that rights still hold takes none from before it was due. */
export interface AuthorizationAsking extends Asking {
  /** The client's address, by which bad credentials are counted. */
  readonly address?: string | undefined;
}

/** Decides which callers may use which agent. */
export interface CallerAuthorizer {
  /** What `user` would resolve to without a query; `undefined`: it would query, or reject. Of one answer it is the same object each time. */
  knownUser(agentId: bigint, credential: UserCredential, asking: AuthorizationAsking): AuthorizedUser | undefined;
  /** @throws Fault `token_unknown`, `agent_forbidden`, `not_found`, `main_application_unavailable`, `rate_limited` */
  user(agentId: bigint, credential: UserCredential, asking: AuthorizationAsking): Promise<AuthorizedUser>;
  /** @throws Fault `token_unknown`, `agent_forbidden`, `main_application_unavailable`, `rate_limited` */
  job(jobToken: string, asking: AuthorizationAsking): Promise<AllowedAgents>;
}

/** How long answers are kept, and who hears of refusals. */
export interface ProxyAuthorizerOptions {
  readonly users: CacheTtl;
  readonly jobs: CacheTtl;
  readonly refusals?: RefusalRecorder;
}

/** Asks the main application who may use which agent; answers are kept for a while, by everything they depend on. */
export class ProxyAuthorizer implements CallerAuthorizer {
  readonly #client: MainApplicationClient;
  readonly #users: CachedLookup<MainApplicationUser>;
  readonly #jobs: CachedLookup<AllowedAgents>;
  readonly #refusals: RefusalRecorder;

  constructor(client: MainApplicationClient, clock: Clock, options: ProxyAuthorizerOptions) {
    this.#client = client;
    this.#users = new CachedLookup(clock, options.users);
    this.#jobs = new CachedLookup(clock, options.jobs);
    this.#refusals = options.refusals ?? noRefusals;
  }

  knownUser(agentId: bigint, credential: UserCredential, asking: AuthorizationAsking): MainApplicationUser | undefined {
    const { kind, accessKey } = credential;
    const csrf = credential.kind === "session_cookie" ? credential.csrfToken : "";
    if (accessKey.length > MAX_CREDENTIAL_BYTES || csrf.length > MAX_CREDENTIAL_BYTES) return undefined;
    return this.#users.known([kind, accessKey, csrf, String(agentId)], asking);
  }

  user(agentId: bigint, credential: UserCredential, asking: AuthorizationAsking): Promise<MainApplicationUser> {
    const { kind, accessKey } = credential;
    const { address } = asking;
    const csrf = credential.kind === "session_cookie" ? credential.csrfToken : "";
    return this.#refusals.watch({ kind, address }, async () => {
      // The main application issues no ID tokens to callers of kas.
      if (kind === "id_token") throw new Fault("token_unknown", "unauthenticated");
      checkSize(accessKey, csrf);
      return this.#users.get([kind, accessKey, csrf, String(agentId)], asking, async (signal) => {
        const answer = await this.#client.call({
          method: "POST",
          path: "/api/v4/internal/kubernetes/authorize_proxy_user",
          body: { agent_id: Number(agentId), access_type: kind, access_key: accessKey, ...(csrf === "" ? {} : { csrf_token: csrf }) },
          caller: { lane: "users", credential: [kind, accessKey], address, signal },
        });
        return parsed(authorizedSchema, answer);
      });
    });
  }

  job(jobToken: string, asking: AuthorizationAsking): Promise<AllowedAgents> {
    const { address } = asking;
    return this.#refusals.watch({ kind: "job_token", address }, async () => {
      checkSize(jobToken);
      return this.#jobs.get([jobToken], asking, async (signal) => {
        const answer = await this.#client.call({
          method: "GET",
          path: "/api/v4/job/allowed_agents",
          headers: { "job-token": jobToken },
          caller: { lane: "users", credential: ["job", jobToken], address, signal },
        });
        return parsed(allowedAgentsSchema, answer);
      });
    });
  }
}

function checkSize(...credentials: readonly string[]): void {
  if (credentials.some((text) => text.length > MAX_CREDENTIAL_BYTES)) throw new Fault("token_unknown", "unauthenticated");
}

function parsed<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer);
  if (!result.success) throw unanswered(result.error);
  return result.data;
}
