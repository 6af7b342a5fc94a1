import { createSecretKey, type KeyObject } from "node:crypto";

import { Fault, type Clock } from "@binnacle/rpc";
import { jwtVerify } from "jose";

/** What the tokens of the API listener must be. */
export interface JwtGateOptions {
  readonly secret: Uint8Array;
  /** Accepted issuers. */
  readonly issuers: readonly string[];
  readonly clock: Clock;
}

const AUDIENCE = "gitlab-kas";
const MAX_LIFETIME_S = 300;
const SKEW_S = 5;

/** Checks the main application's JWTs: HMAC only, our audience, a known issuer, an expiry at most five minutes ahead (T18). */
export class JwtGate {
  readonly #key: KeyObject;
  readonly #options: JwtGateOptions;

  constructor(options: JwtGateOptions) {
    this.#key = createSecretKey(options.secret);
    this.#options = options;
  }

  /** @param authorization value of the `authorization` metadata @throws Fault `token_missing`, `jwt_invalid` */
  async check(authorization: string | null): Promise<void> {
    // Several values come joined (`showEveryAuthorization`); a token has no comma.
    if (authorization?.includes(",") === true)
      throw new Fault("jwt_invalid", "exactly one value of authorization is needed, several were sent");
    const token = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) throw new Fault("token_missing", "a JWT is needed: authorization: Bearer <JWT>");
    const now = new Date(this.#options.clock.now());
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ["HS256", "HS384", "HS512"],
        audience: AUDIENCE,
        issuer: [...this.#options.issuers],
        requiredClaims: ["exp", "iss", "aud"],
        clockTolerance: SKEW_S,
        currentDate: now,
      });
      const nowS = Math.floor(now.getTime() / 1_000);
      // A begin in the future would make any expiry look close.
      const begin = Math.min(payload.iat ?? payload.nbf ?? nowS, nowS);
      if ((payload.exp ?? 0) - begin > MAX_LIFETIME_S + SKEW_S) throw new Error("it lives longer than five minutes");
    } catch (error) {
      throw new Fault("jwt_invalid", "JWT validation failed", { cause: error });
    }
  }
}
