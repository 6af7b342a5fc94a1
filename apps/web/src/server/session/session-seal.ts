import { randomBytes } from "node:crypto";

import type { Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { z } from "zod";

import { SealedClaims } from "./sealed-claims.ts";
import type { SessionKeyRing } from "../config/session-keys.ts";

/** A session is over so long after its sign-in. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** Clocks of two processes may differ by so much. */
const SKEW_SECONDS = 5 * 60;

/** A session of the token way, as its cookie holds it. */
export interface TokenSession {
  /** Random; it opens nothing by itself. */
  readonly id: string;
  /** What it is: a personal access token, or an ID token. */
  readonly way: "token" | "oidc";
  readonly token: Secret;
  readonly expiresAtMs: number;
  /** The key that it was sealed with. */
  readonly keyId: string;
}

const claimsSchema = z.object({
  sid: z.string().min(1).max(64),
  token: z.string().min(1),
  way: z.enum(["token", "oidc"]).default("token"),
  exp: z.number(),
});

/** Puts sessions into a text that only our processes can read or make, and takes them out again. */
export class SessionSeal {
  readonly #keys: SessionKeyRing;
  readonly #clock: Clock;
  readonly #claims: SealedClaims;

  constructor(keys: SessionKeyRing, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
    this.#claims = new SealedClaims(keys, clock, { audience: "binnacle-web-session", type: "binnacle-session-1" });
  }

  /** Begins a session with the token. */
  seal(token: Secret, way: TokenSession["way"] = "token"): Promise<string> {
    const nowSeconds = Math.floor(this.#clock.now() / 1_000);
    const claims = { sid: randomBytes(16).toString("base64url"), token: token.reveal(), way, iat: nowSeconds };
    return this.#claims.seal(claims, nowSeconds + SESSION_SECONDS);
  }

  /** The session in a text; `undefined` for one that is over, changed, sealed elsewhere or with a key that is no longer good. */
  async open(text: string): Promise<TokenSession | undefined> {
    const opened = await this.#claims.open(text);
    const claims = claimsSchema.safeParse(opened?.payload).data;
    // A clock that is set back does not make sessions longer.
    if (!opened || !claims || claims.exp > this.#clock.now() / 1_000 + SESSION_SECONDS + SKEW_SECONDS) return undefined;
    return { id: claims.sid, way: claims.way, token: new Secret(claims.token), expiresAtMs: claims.exp * 1_000, keyId: opened.keyId };
  }

  /** Whether a session that was opened would open again now. */
  isGood({ expiresAtMs, keyId }: Pick<TokenSession, "expiresAtMs" | "keyId">): boolean {
    return this.#clock.now() < expiresAtMs && this.#keys.find(keyId) !== undefined;
  }
}
