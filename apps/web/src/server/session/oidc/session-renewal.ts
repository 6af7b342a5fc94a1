import type { Clock } from "@binnacle/rpc";
import type { Secret } from "@binnacle/telemetry";

import type { LiveSessions } from "./live-sessions.ts";
import type { OidcClient } from "./oidc-client.ts";
import { OidcFailure } from "./oidc-failure.ts";
import type { OidcSession, ProxyToken } from "./oidc-seal.ts";

/** Tokens are renewed so long before they end, or when a third of their life is left. */
const MARGIN_MS = 2 * 60_000;

/** What renewals work with. */
export interface SessionRenewalOptions {
  readonly client: Pick<OidcClient, "refresh">;
  /** Which token the main application takes. */
  readonly way: "oauth" | "oidc";
  readonly live: LiveSessions;
  /** A token for the k8s-proxy in place of the present one, where the main application makes them. */
  readonly proxyToken: (accessToken: Secret, present: ProxyToken | undefined) => Promise<ProxyToken | undefined>;
  /** Tokens were renewed here. */
  readonly renewed: (session: OidcSession) => void;
  readonly clock: Clock;
}

/** Renews tokens: of one session once at a time, and only when they are due, however many tabs ask. */
export class SessionRenewal {
  readonly #options: SessionRenewalOptions;
  readonly #running = new Map<string, Promise<OidcSession>>();

  constructor(options: SessionRenewalOptions) {
    this.#options = options;
  }

  /** When a page is to ask for new tokens, in seconds from now; `undefined` when there is nothing to renew them with. */
  dueInSeconds(session: OidcSession): number | undefined {
    if (session.refreshToken === undefined) return undefined;
    return Math.max(0, Math.ceil((dueAtMs(session) - this.#options.clock.now()) / 1_000));
  }

  /**
   * The session with tokens that are not due.
   *
   * @throws OidcFailure "stale" when the refresh token was used before or has ended: a newer cookie may have another
   */
  async renew(session: OidcSession): Promise<OidcSession> {
    const newest = this.#options.live.newest(session);
    if (this.#options.clock.now() < dueAtMs(newest)) return newest;
    const running = this.#running.get(session.id) ?? this.#refresh(newest).finally(() => this.#running.delete(session.id));
    this.#running.set(session.id, running);
    return running;
  }

  /** These are the newest tokens of the session, here and in the other processes. */
  adopt(session: OidcSession): OidcSession {
    const { live, renewed } = this.#options;
    live.newest(session);
    renewed(session);
    return session;
  }

  async #refresh(session: OidcSession): Promise<OidcSession> {
    const { client, clock, way, proxyToken } = this.#options;
    if (session.refreshToken === undefined) throw new OidcFailure("stale", "there is no refresh token");
    const { accessToken, refreshToken, idToken, claims, accessEndsAtMs, idEndsAtMs } = await client.refresh(session.refreshToken);
    // OpenID Connect Core 1.0: a renewed ID token is for the same subject.
    if (claims !== undefined && claims.sub !== session.subject)
      throw new OidcFailure("refused", "the renewed tokens are for another subject");
    const [token, endsAtMs] = way === "oauth" ? [accessToken, accessEndsAtMs] : [idToken, idEndsAtMs];
    if (token === undefined || endsAtMs === undefined) throw new OidcFailure("stale", "the provider renews no ID tokens");
    const present = session.proxyToken;
    const isProxyDue = present !== undefined && present.id !== undefined && clock.now() >= present.endsAtMs - MARGIN_MS;
    return this.adopt({
      ...session,
      token,
      refreshToken: refreshToken ?? session.refreshToken,
      proxyToken: present === undefined || isProxyDue ? await proxyToken(token, present) : present,
      tokenBeganAtMs: clock.now(),
      tokenEndsAtMs: endsAtMs,
      renewal: session.renewal + 1,
    });
  }
}

/** From then on tokens are renewed. */
function dueAtMs({ tokenBeganAtMs, tokenEndsAtMs, proxyToken }: OidcSession): number {
  const ofToken = tokenEndsAtMs - Math.min(MARGIN_MS, (tokenEndsAtMs - tokenBeganAtMs) / 3);
  // A token that the viewer pasted is not ours to renew, and one that could not be replaced is tried again with the next tokens.
  const ofProxyToken = proxyToken?.id === undefined ? Infinity : proxyToken.endsAtMs - MARGIN_MS;
  return ofProxyToken <= tokenBeganAtMs ? ofToken : Math.min(ofToken, ofProxyToken);
}
