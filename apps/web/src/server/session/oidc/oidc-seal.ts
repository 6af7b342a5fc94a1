import { Secret } from "@binnacle/telemetry";
import type { Clock } from "@binnacle/rpc";
import { z } from "zod";

import { SESSION_SECONDS } from "../session-seal.ts";
import { SealedClaims } from "../sealed-claims.ts";
import type { SessionKeyRing } from "../../config/session-keys.ts";

/** A token for the k8s-proxy beside the provider's. */
export interface ProxyToken {
  readonly token: Secret;
  /** By which it is revoked; `undefined`: the viewer pasted it, and it is theirs to revoke. */
  readonly id: string | undefined;
  readonly endsAtMs: number;
}

/** A session of a viewer who came by the provider, as its cookie holds it: no groups, no name. */
export interface OidcSession {
  /** Random; it opens nothing by itself. */
  readonly id: string;
  /** Subject at the provider, and the provider's own session where it names one. */
  readonly subject: string;
  readonly providerSession: string | undefined;
  /** The credential for the main application: an access token, or the ID token. */
  readonly token: Secret;
  readonly refreshToken: Secret | undefined;
  readonly proxyToken: ProxyToken | undefined;
  /** When `token` began and ends. */
  readonly tokenBeganAtMs: number;
  readonly tokenEndsAtMs: number;
  /** How often the tokens were renewed: of two cookies of one session the higher one is newer. */
  readonly renewal: number;
  readonly signedInAtMs: number;
  readonly expiresAtMs: number;
  /** The key that it was sealed with; "" before. */
  readonly keyId: string;
}

const claimsSchema = z.object({
  sid: z.string().min(1).max(64),
  sub: z.string().min(1),
  psid: z.string().optional(),
  tok: z.string().min(1),
  ref: z.string().min(1).optional(),
  pat: z.object({ tok: z.string().min(1), id: z.string().optional(), end: z.number() }).optional(),
  beg: z.number(),
  end: z.number(),
  gen: z.number().int().min(0),
  iat: z.number(),
  exp: z.number(),
});

/** Puts sessions of the provider's viewers into texts that only our processes can read, and takes them out again. */
export class OidcSeal {
  readonly #claims: SealedClaims;

  /** @param type also for notices between processes, which are not cookies */
  constructor(keys: SessionKeyRing, clock: Clock, purpose: "session" | "renewed" = "session") {
    this.#claims = new SealedClaims(keys, clock, { audience: `binnacle-web-oidc-${purpose}`, type: `binnacle-oidc-${purpose}-1` });
  }

  seal(session: OidcSession): Promise<string> {
    const { proxyToken, refreshToken, providerSession } = session;
    const claims = {
      sid: session.id,
      sub: session.subject,
      tok: session.token.reveal(),
      beg: session.tokenBeganAtMs,
      end: session.tokenEndsAtMs,
      gen: session.renewal,
      iat: session.signedInAtMs / 1_000,
      ...(providerSession === undefined ? {} : { psid: providerSession }),
      ...(refreshToken && { ref: refreshToken.reveal() }),
      ...(proxyToken && {
        pat: { tok: proxyToken.token.reveal(), end: proxyToken.endsAtMs, ...(proxyToken.id === undefined ? {} : { id: proxyToken.id }) },
      }),
    };
    return this.#claims.seal(claims, Math.floor(session.expiresAtMs / 1_000));
  }

  /** The session in a text; `undefined` for one that is over, changed, sealed elsewhere or with a key that is no longer good. */
  async open(text: string): Promise<OidcSession | undefined> {
    const opened = await this.#claims.open(text);
    const claims = claimsSchema.safeParse(opened?.payload).data;
    if (!opened || !claims || claims.exp - claims.iat > SESSION_SECONDS + 1) return undefined;
    const { pat, ref } = claims;
    return {
      id: claims.sid,
      subject: claims.sub,
      providerSession: claims.psid,
      token: new Secret(claims.tok),
      refreshToken: ref === undefined ? undefined : new Secret(ref),
      proxyToken: pat && { token: new Secret(pat.tok), id: pat.id, endsAtMs: pat.end },
      tokenBeganAtMs: claims.beg,
      tokenEndsAtMs: claims.end,
      renewal: claims.gen,
      signedInAtMs: claims.iat * 1_000,
      expiresAtMs: claims.exp * 1_000,
      keyId: opened.keyId,
    };
  }
}
