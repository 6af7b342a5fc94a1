import { Fault, type Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { words } from "@binnacle/words";
import { SignJWT } from "jose";
import { z } from "zod";

import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { HttpDialer } from "../http/http-dialer.ts";

/** An ID token of kas, and its end in milliseconds of the epoch. */
export interface UserToken {
  readonly idToken: Secret;
  readonly expiresAtMs: number;
}

const PATH = "/binnacle/v1/user-tokens";
const ISSUER = "binnacle-web";
const AUDIENCE = "binnacle-kas/users";
const LIFETIME_S = 30;
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const issuedSchema = z.object({ id_token: z.string().min(1), expires_at_ms: z.number() });

/** kas, which checks passwords of the organization's users and issues their ID tokens. The dashboard proves itself by a secret that both have. */
export class UserTokensClient {
  readonly #dialer: Pick<HttpDialer, "request">;
  readonly #secret: Secret;
  readonly #clock: Clock;

  /** @param secret base64 */
  constructor(dialer: Pick<HttpDialer, "request">, secret: Secret, clock: Clock) {
    this.#dialer = dialer;
    this.#secret = secret;
    this.#clock = clock;
  }

  /** @throws Fault `session_ended` when user or password are not known; `rate_limited`, `main_application_unavailable` */
  signIn(user: { readonly username: string; readonly password: string }, signal: AbortSignal): Promise<UserToken> {
    return this.#ask(user, signal);
  }

  /** The next token of a session. @throws Fault `session_ended`, `main_application_unavailable` */
  renew(idToken: Secret, signal: AbortSignal): Promise<UserToken> {
    return this.#ask({ id_token: idToken.reveal() }, signal);
  }

  async #ask(body: object, signal: AbortSignal): Promise<UserToken> {
    const answer = await this.#post(JSON.stringify(body), AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    const { status, text } = answer;
    const parsed = parseJson(text);
    const issued = issuedSchema.safeParse(parsed).data;
    if (status === 200 && issued !== undefined) return { idToken: new Secret(issued.id_token), expiresAtMs: issued.expires_at_ms };
    const reason = z.object({ reason: z.string() }).safeParse(parsed).data?.reason;
    if (status === 401 && reason === "token_unknown") throw sessionEnded();
    if (status === 429 && reason === "rate_limited")
      throw new Fault("rate_limited", "Too many people sign in right now. Try again in 5 s.", { retryAfterSeconds: 5 });
    throw unavailable(new Error(`kas answered ${status} to a request for the token of a user: ${reason ?? "no reason"}`));
  }

  async #post(body: string, signal: AbortSignal): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const headers = { authorization: `Bearer ${await this.#proof()}`, "content-type": "application/json" };
      const response = await this.#dialer.request({ method: "POST", path: PATH, headers, body, signal });
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
        chunks.push(chunk);
      }
      return { status: response.statusCode, text: Buffer.concat(chunks).toString("utf8") };
    } catch (error) {
      throw unavailable(error);
    }
  }

  #proof(): Promise<string> {
    const nowS = Math.floor(this.#clock.now() / 1_000);
    return new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LIFETIME_S)
      .sign(Buffer.from(this.#secret.reveal(), "base64"));
  }
}

function unavailable(cause: unknown): MessageFault {
  return new MessageFault("main_application_unavailable", words("standalone/kas-unavailable"), { cause });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
