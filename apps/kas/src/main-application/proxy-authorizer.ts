import { Fault, type Clock } from "@binnacle/rpc";
import { z } from "zod";

import { CachedLookup, type CacheTtl } from "./cached-lookup.ts";
import type { MainApplicationClient } from "./main-application-client.ts";

/** What a user shows. */
export type UserCredential =
  | { readonly kind: "session_cookie"; readonly accessKey: string; readonly csrfToken: string }
  | { readonly kind: "personal_access_token"; readonly accessKey: string };

const id = z.int();
const rolesSchema = z.array(z.object({ id, roles: z.array(z.string()) })).default([]);
const authorizedSchema = z.object({
  agent: z.object({ id, config_project: z.object({ id }) }),
  user: z.object({ id, username: z.string().min(1) }),
  access_as: z
    .object({ agent: z.object({}).optional(), user: z.object({ projects: rolesSchema, groups: rolesSchema }).optional() })
    .nullish()
    .transform((value) => value ?? { agent: {} }),
});

const ciAccessAsSchema = z.object({
  agent: z.object({}).nullish(),
  ci_job: z.object({}).nullish(),
  impersonate: z
    .object({
      username: z.string(),
      groups: z.array(z.string()).default([]),
      uid: z.string().default(""),
      extra: z.array(z.object({ key: z.string(), val: z.array(z.string()) })).default([]),
    })
    .nullish(),
});
const allowedAgentsSchema = z.object({
  allowed_agents: z.array(
    z.object({
      id,
      config_project: z.object({ id }),
      configuration: z.object({ default_namespace: z.string().nullish(), access_as: ciAccessAsSchema.nullish() }).nullish(),
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

/** Asks the main application who may use which agent; answers are kept for a while, by everything they depend on. */
export class ProxyAuthorizer {
  readonly #client: MainApplicationClient;
  readonly #users: CachedLookup<AuthorizedUser>;
  readonly #jobs: CachedLookup<AllowedAgents>;

  constructor(client: MainApplicationClient, clock: Clock, ttl: { readonly users: CacheTtl; readonly jobs: CacheTtl }) {
    this.#client = client;
    this.#users = new CachedLookup(clock, ttl.users);
    this.#jobs = new CachedLookup(clock, ttl.jobs);
  }

  /** @throws Fault `token_unknown`, `agent_forbidden`, `not_found`, `main_application_unavailable` */
  user(agentId: bigint, credential: UserCredential, signal: AbortSignal): Promise<AuthorizedUser> {
    const csrf = credential.kind === "session_cookie" ? credential.csrfToken : "";
    return this.#users.get([credential.kind, credential.accessKey, csrf, String(agentId)], signal, async () => {
      const answer = await this.#client.call({
        method: "POST",
        path: "/api/v4/internal/kubernetes/authorize_proxy_user",
        body: {
          agent_id: Number(agentId),
          access_type: credential.kind,
          access_key: credential.accessKey,
          ...(csrf === "" ? {} : { csrf_token: csrf }),
        },
      });
      return parsed(authorizedSchema, answer, "authorize_proxy_user");
    });
  }

  /** @throws Fault `token_unknown`, `agent_forbidden`, `main_application_unavailable` */
  job(jobToken: string, signal: AbortSignal): Promise<AllowedAgents> {
    return this.#jobs.get([jobToken], signal, async () => {
      const answer = await this.#client.call({ method: "GET", path: "/api/v4/job/allowed_agents", headers: { "job-token": jobToken } });
      return parsed(allowedAgentsSchema, answer, "allowed_agents");
    });
  }
}

function parsed<S extends z.ZodType>(schema: S, answer: unknown, what: string): z.output<S> {
  const result = schema.safeParse(answer);
  if (!result.success)
    throw new Fault("main_application_unavailable", `${what} answered something we cannot read`, { cause: result.error });
  return result.data;
}
