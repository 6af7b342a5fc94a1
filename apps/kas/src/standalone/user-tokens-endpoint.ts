import { createSecretKey, type KeyObject } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { Fault, httpStatusOf, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { jwtVerify } from "jose";
import { z } from "zod";

import type { UserTokens } from "./user-tokens.ts";

/** What the endpoint needs. */
export interface UserTokensEndpointOptions {
  readonly tokens: Pick<UserTokens, "signIn" | "renew">;
  /** Shared with the dashboard. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error">;
}

const ISSUER = "binnacle-web";
const AUDIENCE = "binnacle-kas/users";
const MAX_LIFETIME_S = 60;
const SKEW_S = 5;
/** A token of 200 groups fits. */
const MAX_BODY_BYTES = 16 * 1024;
const BODY_MS = 10_000;

const bodySchema = z.union([
  z.strictObject({ username: z.string().max(256), password: z.string().max(1_024) }),
  z.strictObject({ id_token: z.string() }),
]);

/**
 * `POST <prefix>binnacle/v1/user-tokens` of the Kubernetes proxy, for the dashboard alone, which proves itself by a JWT of half a minute: a user
 * and a password, or a token of before, give an ID token: `{"id_token", "expires_at_ms"}`. The dashboard limits attempts.
 */
export class UserTokensEndpoint {
  readonly #options: UserTokensEndpointOptions;
  readonly #key: KeyObject;

  constructor(options: UserTokensEndpointOptions) {
    this.#options = options;
    this.#key = createSecretKey(options.secret);
  }

  /** Answers a request that is for it. @param pathPrefix begins and ends with a slash @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse, pathPrefix: string): boolean {
    if (request.method !== "POST" || request.url !== `${pathPrefix}binnacle/v1/user-tokens`) return false;
    void this.#answer(request, response); // never rejects
    return true;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object): void => {
      if (response.destroyed) return;
      response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", connection: "close" });
      response.end(JSON.stringify(body));
    };
    try {
      await this.#authenticate(request);
      const body = bodySchema.safeParse(parseJson(await textOf(request, this.#options.clock))).data;
      if (body === undefined) throw new Fault("invalid_request", "the body must be a username and a password, or an id_token");
      const { tokens } = this.#options;
      const issued = "id_token" in body ? await tokens.renew(body.id_token) : await tokens.signIn(body.username, body.password);
      send(200, { id_token: issued.idToken, expires_at_ms: issued.expiresAtMs });
    } catch (error) {
      if (error instanceof Fault) return send(httpStatusOf(error.code), { reason: error.reason, message: error.message });
      this.#options.log.error({ error }, "answering the dashboard failed");
      send(500, { reason: "internal", message: "internal error" });
    }
  }

  /** @throws Fault `jwt_invalid` */
  async #authenticate({ headers }: IncomingMessage): Promise<void> {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    try {
      await jwtVerify(token, this.#key, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp", "iat"],
        clockTolerance: SKEW_S,
        maxTokenAge: MAX_LIFETIME_S,
        currentDate: new Date(this.#options.clock.now()),
      });
    } catch (error) {
      throw new Fault("jwt_invalid", "only the dashboard may ask for tokens of users", { cause: error });
    }
  }
}

/** @throws Fault `message_too_large`, `deadline` */
async function textOf(request: IncomingMessage, clock: Clock): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const cancel = clock.after(BODY_MS, () => request.destroy(new Fault("deadline", "the body did not come")));
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BODY_BYTES) throw new Fault("message_too_large", `the body has over ${MAX_BODY_BYTES} bytes`);
      chunks.push(chunk);
    }
  } finally {
    cancel();
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
