import { createSecretKey, randomUUID, type KeyObject } from "node:crypto";

import { Fault, type Clock } from "@binnacle/rpc";
import type { Secret } from "@binnacle/telemetry";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";

/** What hop tokens need. */
export interface HopTokensOptions {
  /** The secret(s) kas instances share, base64 of at least 32 bytes; the first signs, all are accepted. */
  readonly secrets: readonly [Secret, ...Secret[]];
  /** Random id of this process. */
  readonly kasId: string;
  readonly clock: Clock;
}

const ISSUER = "gitlab-kas";
const LIFETIME_S = 5;
const SKEW_S = 5;
const MAX_REMEMBERED = 100_000;

const claimsSchema = z.object({
  jti: z.string().min(1).max(64),
  iat: z.number(),
  exp: z.number(),
  agent_id: z.string().regex(/^\d{1,19}$/),
});

/**
 * Tokens between kas instances: HS256, five seconds, for one target kas and one agent, good for one use. Whoever sees one
 * can do nothing with it at another kas, for another agent, or a second time.
 */
export class HopTokens {
  readonly #options: HopTokensOptions;
  readonly #keys: readonly [KeyObject, ...KeyObject[]];
  /** Used tokens with the second they expire in. */
  readonly #used = new Map<string, number>();

  constructor(options: HopTokensOptions) {
    const [first, ...others] = options.secrets;
    this.#options = options;
    this.#keys = [keyOf(first), ...others.map(keyOf)];
  }

  /** Value of `authorization` for a call to `targetKasId` about `agentId`. */
  async sign(targetKasId: string, agentId: bigint): Promise<string> {
    const nowS = Math.floor(this.#options.clock.now() / 1_000);
    const token = await new SignJWT({ agent_id: String(agentId) })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(ISSUER)
      .setAudience(audienceOf(targetKasId))
      .setIssuedAt(nowS)
      .setNotBefore(nowS - SKEW_S)
      .setExpirationTime(nowS + LIFETIME_S)
      .setJti(randomUUID())
      .sign(this.#keys[0]);
    return `Bearer ${token}`;
  }

  /**
   * The agent a token allows to reach through this kas. The token cannot be used again.
   *
   * @throws Fault `token_missing`, `jwt_invalid`
   */
  async verify(authorization: string | undefined): Promise<bigint> {
    const token = /^bearer (\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) throw new Fault("token_missing", "a kas must present a token");
    const claims = claimsSchema.safeParse(await this.#payloadOf(token));
    if (!claims.success || claims.data.exp - claims.data.iat > LIFETIME_S) throw new Fault("jwt_invalid", "JWT validation failed");
    this.#use(claims.data.jti, claims.data.exp + SKEW_S);
    return BigInt(claims.data.agent_id);
  }

  async #payloadOf(token: string): Promise<unknown> {
    const { clock, kasId } = this.#options;
    let cause: unknown;
    for (const key of this.#keys) {
      try {
        const verified = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          issuer: ISSUER,
          audience: audienceOf(kasId),
          clockTolerance: SKEW_S,
          currentDate: new Date(clock.now()),
          requiredClaims: ["exp", "iat", "nbf", "jti"],
        });
        return verified.payload;
      } catch (error) {
        cause = error;
      }
    }
    throw new Fault("jwt_invalid", "JWT validation failed", { cause });
  }

  #use(jti: string, expiresS: number): void {
    const nowS = this.#options.clock.now() / 1_000;
    // Insertion order is about the order of expiry: forget from the front.
    for (const [old, endsS] of this.#used) {
      if (endsS > nowS && this.#used.size < MAX_REMEMBERED) break;
      this.#used.delete(old);
    }
    if (this.#used.has(jti)) throw new Fault("jwt_invalid", "JWT validation failed: used before");
    this.#used.set(jti, expiresS);
  }
}

function audienceOf(kasId: string): string {
  return `gitlab-kas/${kasId}`;
}

function keyOf(secret: Secret): KeyObject {
  const bytes = Buffer.from(secret.reveal(), "base64");
  if (bytes.length < 32) throw new Fault("configuration_invalid", "the secret of the internal listener must have at least 32 bytes");
  return createSecretKey(bytes);
}
