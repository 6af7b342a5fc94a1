import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import type { SessionKeyRing } from "../../config/session-keys.ts";
import { SealedClaims } from "../sealed-claims.ts";
import { SESSION_SECONDS } from "../session-seal.ts";
import type { ProviderLogout } from "./oidc-client.ts";
import type { OidcSession } from "./oidc-seal.ts";

/** Beyond, the logout heard first is forgotten. */
const MAX_REMEMBERED = 50_000;

const claimsSchema = z.object({
  jti: z.string().min(1),
  psid: z.string().optional(),
  sub: z.string().optional(),
  iat: z.number(),
  exp: z.number(),
});

/**
 * Sessions of the provider that have ended there, until the last of our cookies under them would have expired. Each logout token counts
 * once. By session where the provider names it, else by subject: then what was signed in before it is over, what comes later is not.
 */
export class ProviderLogouts {
  readonly #claims: SealedClaims;
  readonly #clock: Clock;
  readonly #ids: LRUCache<string, true>;
  readonly #sessions: LRUCache<string, true>;
  readonly #subjects: LRUCache<string, number>;

  constructor(keys: SessionKeyRing, clock: Clock) {
    const options = { max: MAX_REMEMBERED, ttl: SESSION_SECONDS * 1_000, ttlResolution: 0, perf: { now: () => clock.now() } };
    this.#claims = new SealedClaims(keys, clock, { audience: "binnacle-web-logout", type: "binnacle-logout-1" });
    this.#clock = clock;
    this.#ids = new LRUCache(options);
    this.#sessions = new LRUCache(options);
    this.#subjects = new LRUCache(options);
  }

  /** @returns `false` for a token that was heard before */
  add({ id, session, subject, issuedAtMs }: ProviderLogout): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.set(id, true);
    if (session !== undefined) this.#sessions.set(session, true);
    else if (subject !== undefined) this.#subjects.set(subject, Math.max(issuedAtMs, this.#subjects.get(subject) ?? 0));
    return true;
  }

  /** Whether the provider has ended what this session came from. */
  has({ providerSession, subject, signedInAtMs }: Pick<OidcSession, "providerSession" | "subject" | "signedInAtMs">): boolean {
    if (providerSession !== undefined && this.#sessions.has(providerSession)) return true;
    return signedInAtMs <= (this.#subjects.get(subject) ?? -Infinity);
  }

  /** The logout as a notice for other web processes. */
  seal({ id, session, subject, issuedAtMs }: ProviderLogout): Promise<string> {
    const claims = {
      jti: id,
      iat: issuedAtMs / 1_000,
      ...(session === undefined ? {} : { psid: session }),
      ...(subject === undefined ? {} : { sub: subject }),
    };
    return this.#claims.seal(claims, Math.floor(this.#clock.now() / 1_000) + SESSION_SECONDS);
  }

  /** `undefined` for a text that is no such notice. */
  async open(sealed: string): Promise<ProviderLogout | undefined> {
    const claims = claimsSchema.safeParse((await this.#claims.open(sealed))?.payload).data;
    return claims && { id: claims.jti, session: claims.psid, subject: claims.sub, issuedAtMs: claims.iat * 1_000 };
  }
}
