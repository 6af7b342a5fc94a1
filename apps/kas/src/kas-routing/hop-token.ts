import { createSecretKey, randomUUID, type KeyObject, createHmac, timingSafeEqual } from "node:crypto";

import { Fault, type Clock } from "@binnacle/rpc";
import type { Secret } from "@binnacle/telemetry";
import { z } from "zod";

/** What hop tokens need. */
export interface HopTokensOptions {
  /** The secret(s) kas instances share, base64 of at least 32 bytes; the first signs, all are accepted. */
  readonly secrets: readonly [Secret, ...Secret[]];
  /** Random id of this process. */
  readonly kasId: string;
  readonly clock: Clock;
  /** Used tokens that are remembered at once; beyond it tokens are refused. Default 100,000: 10,000 hops a second. */
  readonly maxRemembered?: number;
}

const ISSUER = "gitlab-kas";
const LIFETIME_S = 5;
const SKEW_S = 5;
const MAX_REMEMBERED = 100_000;

const claimsSchema = z.object({
  iss: z.literal(ISSUER),
  aud: z.string(),
  jti: z.string().min(1).max(64),
  iat: z.number(),
  nbf: z.number(),
  exp: z.number(),
  agent_id: z.string().regex(/^\d{1,19}$/),
});

/**
 * Tokens between kas instances: HS256, five seconds, for one target kas and one agent, valid once. A stolen token is useless at another kas,
 * for another agent, or a second time. Signing and checking are synchronous: every call over a hop needs both, and two jobs of the thread
 * pool per call cost more than the HMAC.
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
  sign(targetKasId: string, agentId: bigint): string {
    const nowS = Math.floor(this.#options.clock.now() / 1_000);
    const claims: z.input<typeof claimsSchema> = {
      agent_id: String(agentId),
      iss: ISSUER,
      aud: audienceOf(targetKasId),
      iat: nowS,
      nbf: nowS - SKEW_S,
      exp: nowS + LIFETIME_S,
      jti: randomUUID(),
    };
    return `Bearer ${signCompactJws(this.#keys[0], claims)}`;
  }

  /**
   * The agent a token allows to reach through this kas. The token cannot be used again.
   *
   * @throws Fault `token_missing`, `jwt_invalid`; `rate_limited` when no more tokens can be remembered
   */
  verify(authorization: string | undefined): bigint {
    const token = /^bearer (\S+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) throw new Fault("token_missing", "a kas must present a token");
    const claims = claimsSchema.safeParse(openCompactJws(this.#keys, token));
    if (!claims.success || !this.#isForUsNow(claims.data)) throw new Fault("jwt_invalid", "JWT validation failed");
    this.#use(claims.data.jti, claims.data.exp + SKEW_S);
    return BigInt(claims.data.agent_id);
  }

  #isForUsNow({ aud, iat, nbf, exp }: z.output<typeof claimsSchema>): boolean {
    const { clock, kasId } = this.#options;
    const nowS = Math.floor(clock.now() / 1_000);
    if (aud !== audienceOf(kasId) || exp - iat > LIFETIME_S) return false;
    return exp > nowS - SKEW_S && nbf <= nowS + SKEW_S && iat <= nowS + SKEW_S;
  }

  #use(jti: string, expiresS: number): void {
    const nowS = this.#options.clock.now() / 1_000;
    // Insertion order is about the order of expiry, so expired tokens are removed from the front. A valid one is never removed to make room.
    for (const [old, endsS] of this.#used) {
      if (endsS > nowS) break;
      this.#used.delete(old);
    }
    if (this.#used.has(jti)) throw new Fault("jwt_invalid", "JWT validation failed: used before");
    if (this.#used.size >= (this.#options.maxRemembered ?? MAX_REMEMBERED))
      throw new Fault("rate_limited", "too many calls between kas at once", { retryAfterSeconds: 1 });
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

/** The one header we write and read, `{"alg":"HS256"}`: with nothing to choose there is no algorithm to confuse. */
const HEADER = Buffer.from(JSON.stringify({ alg: "HS256" })).toString("base64url");

/** A compact JWS over JSON: HMAC-SHA256, synchronous. The key is prepared once: that is most of the work for a short text. @see RFC 7515 */
function signCompactJws(key: KeyObject, payload: unknown): string {
  const text = `${HEADER}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}`;
  return `${text}.${macOf(key, text)}`;
}

/** The payload of a token that one of the keys has signed; undefined for everything else, also for a header that differs from ours by a byte. */
function openCompactJws(keys: readonly KeyObject[], token: string): unknown {
  const [header, payload, mac, ...more] = token.split(".", 4);
  if (header !== HEADER || payload === undefined || mac === undefined || more.length > 0) return undefined;
  const given = Buffer.from(mac);
  const signed = keys.some((key) => {
    const expected = Buffer.from(macOf(key, `${header}.${payload}`));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!signed) return undefined;
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** The text is compared, not the bytes it stands for: a second spelling of the same MAC is refused. */
function macOf(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
