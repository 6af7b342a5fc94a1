import { Fault, type Clock } from "@binnacle/rpc";
import { z } from "zod";

import { CachedLookup, type Asking, type CacheTtl } from "./cached-lookup.ts";
import { MAX_CREDENTIAL_BYTES } from "./credential-size.ts";
import { unanswered, type MainApplicationClient } from "./main-application-client.ts";
import { noRefusals, type RefusalRecorder } from "./refused-credentials.ts";

/** What a user shows. */
export type UserCredential =
  | { readonly kind: "session_cookie"; readonly accessKey: string; readonly csrfToken: string }
  | { readonly kind: "personal_access_token"; readonly accessKey: string };

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

/** A user who may use an agent, and as whom. */
export type AuthorizedUser = z.output<typeof authorizedSchema>;

/** What a job's token opens. */
export type AllowedAgents = z.output<typeof allowedAgentsSchema>;

/** Who wants to know, and how fresh the answer must be: a proof that rights still hold takes none from before it was due. */
export interface AuthorizationAsking extends Asking {
  /** The client's address, by which bad credentials are counted. */
  readonly address?: string | undefined;
}

/** How long answers are kept, and who hears of refusals. */
export interface ProxyAuthorizerOptions {
  readonly users: CacheTtl;
  readonly jobs: CacheTtl;
  readonly refusals?: RefusalRecorder;
}

/** Asks the main application who may use which agent; answers are kept for a while, by everything they depend on. */
export class ProxyAuthorizer {
  readonly #client: MainApplicationClient;
  readonly #users: CachedLookup<AuthorizedUser>;
  readonly #jobs: CachedLookup<AllowedAgents>;
  readonly #refusals: RefusalRecorder;

  constructor(client: MainApplicationClient, clock: Clock, options: ProxyAuthorizerOptions) {
    this.#client = client;
    this.#users = new CachedLookup(clock, options.users);
    this.#jobs = new CachedLookup(clock, options.jobs);
    this.#refusals = options.refusals ?? noRefusals;
  }

  /** What `user` would resolve to without asking; undefined: it would ask, or reject. Of one answer it is the same object each time. */
  knownUser(agentId: bigint, credential: UserCredential, asking: AuthorizationAsking): AuthorizedUser | undefined {
    const { kind, accessKey } = credential;
    const csrf = credential.kind === "session_cookie" ? credential.csrfToken : "";
    if (accessKey.length > MAX_CREDENTIAL_BYTES || csrf.length > MAX_CREDENTIAL_BYTES) return undefined;
    return this.#users.known([kind, accessKey, csrf, String(agentId)], asking);
  }

  /** @throws Fault `token_unknown`, `agent_forbidden`, `not_found`, `main_application_unavailable`, `rate_limited` */
  user(agentId: bigint, credential: UserCredential, asking: AuthorizationAsking): Promise<AuthorizedUser> {
    const { kind, accessKey } = credential;
    const { address } = asking;
    const csrf = credential.kind === "session_cookie" ? credential.csrfToken : "";
    return this.#refusals.watch({ kind, address }, async () => {
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

  /** @throws Fault `token_unknown`, `agent_forbidden`, `main_application_unavailable`, `rate_limited` */
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
