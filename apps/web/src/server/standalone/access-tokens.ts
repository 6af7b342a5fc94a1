import { randomUUID } from "node:crypto";

import { newToken, type OrganizationFiles, type StateFile, type UserEntry } from "@binnacle/organization";
import { parseJson } from "@binnacle/kube";
import { Fault, httpStatusOf, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { stringify } from "yaml";
import { z } from "zod";

/** Of one user; those of the files are not counted. */
const MAX_TOKENS = 50;
const DAY_MS = 24 * 60 * 60 * 1_000;
const MAX_DAYS = 365;

const createSchema = z.strictObject({ name: z.string().trim().min(1).max(100), days: z.int().min(1).max(MAX_DAYS) });
const removeSchema = z.strictObject({ id: z.string().min(1).max(64) });

/** What personal access tokens are served with. */
export interface AccessTokensOptions {
  readonly files: Pick<OrganizationFiles, "current">;
  /** Absent: tokens are written into the organization's files by hand. */
  readonly state: StateFile | undefined;
  /** Address of the k8s-proxy as the world calls it. */
  readonly server: string;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error" | "info">;
}

/**
 * Personal access tokens of one user, for `kubectl`. GET: the list, and the agents that they open. POST `{name, days}`: a new token, which is
 * in this answer alone, and without a state file the lines for the organization's file. DELETE `{id}`: 204, and kas refuses it within 10 s.
 */
export class AccessTokens {
  readonly #options: AccessTokensOptions;

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /** @param username whose session the request comes with */
  async handle(request: Request, username: string): Promise<Response> {
    const user = this.#options.files.current.user(username);
    try {
      if (user === undefined) throw new Fault("session_ended", "The session has ended.");
      if (request.method === "GET") return json(200, await this.#list(user));
      const body = parseJson(await request.text());
      if (request.method === "DELETE") return await this.#remove(user, parsed(removeSchema, body).id);
      return json(200, await this.#create(user, parsed(createSchema, body)));
    } catch (error) {
      if (error instanceof Fault) return json(httpStatusOf(error.code), { message: error.message });
      this.#options.log.error({ error }, "the state file of the organization cannot be used");
      return json(503, { message: "The state file of the organization cannot be used. Its operator finds the reason in the log." });
    }
  }

  async #list(user: UserEntry): Promise<object> {
    const { files, state, server } = this.#options;
    const created = (await state?.read())?.tokens.filter((token) => token.user === user.name) ?? [];
    return {
      writable: state !== undefined,
      server,
      agents: files.current.agents
        .filter(({ id }) => files.current.accessTo(id, user) !== undefined)
        .map(({ id, name, project }) => ({ id, name, project })),
      tokens: [
        ...user.tokens.map(({ name, expires_at: expiresAt }) => ({ name, expiresAt: expiresAt ?? null })),
        ...created.map(({ id, name, created_at: createdAt, expires_at: expiresAt }) => ({ id, name, createdAt, expiresAt })),
      ],
    };
  }

  async #create(user: UserEntry, { name, days }: z.output<typeof createSchema>): Promise<object> {
    const { state, clock, log } = this.#options;
    const { token, hash } = newToken();
    const expiresAt = new Date(clock.now() + days * DAY_MS).toISOString();
    if (state === undefined) return { token, yaml: yamlOf(user, { name, hash, expires_at: expiresAt }) };
    const created = {
      id: randomUUID(),
      user: user.name,
      name,
      hash,
      created_at: new Date(clock.now()).toISOString(),
      expires_at: expiresAt,
    };
    await state.change((before) => {
      // What has expired opens nothing any more.
      const tokens = before.tokens.filter(({ expires_at: end }) => Date.parse(end) > clock.now());
      if (tokens.filter((each) => each.user === user.name).length >= MAX_TOKENS)
        throw new Fault("rate_limited", `A user has at most ${MAX_TOKENS} tokens. Delete one that is not used.`);
      return { ...before, tokens: [...tokens, created] };
    });
    log.info({ user: user.name, tokenId: created.id, expiresAt }, "a personal access token was created");
    return { token };
  }

  async #remove(user: UserEntry, id: string): Promise<Response> {
    const { state, log } = this.#options;
    if (state === undefined) throw new Fault("not_found", "There is no such token.");
    await state.change((before) => {
      const tokens = before.tokens.filter((token) => token.id !== id || token.user !== user.name);
      if (tokens.length === before.tokens.length) throw new Fault("not_found", "There is no such token.");
      return { ...before, tokens };
    });
    log.info({ user: user.name, tokenId: id }, "a personal access token was deleted");
    return new Response(null, { status: 204 });
  }
}

/** The user's lines of an organization file with one more token. */
function yamlOf(user: UserEntry, token: UserEntry["tokens"][number]): string {
  return stringify({ users: [{ name: user.name, tokens: [...user.tokens, token] }] });
}

/** @throws Fault `invalid_request` */
function parsed<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (!result.success)
    throw new Fault("invalid_request", `A token needs a name of at most 100 characters, and lives 1 to ${MAX_DAYS} days.`);
  return result.data;
}

function json(status: number, body: object): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
