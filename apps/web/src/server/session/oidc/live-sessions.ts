import { MessageFault } from "../../base/message-fault.ts";
import { sessionEnded } from "../../base/session-ended.ts";
import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import { LRUCache } from "lru-cache";

import type { Credential } from "../../main-application/credential.ts";
import type { OidcSession } from "./oidc-seal.ts";

/** Sessions whose newest tokens a process knows beside their cookies, a few KiB each; beyond, that used longest ago waits for its cookie. */
const MAX_LIVE = 5_000;
/** What runs waits so long for its page to renew the tokens. */
const RENEWAL_PATIENCE_MS = 60_000;

/** A session of which this process has seen several cookies: the newest counts. */
class LiveSession {
  newest: OidcSession;

  constructor(session: OidcSession) {
    this.newest = session;
  }
}

/**
 * The newest tokens of sessions in this process. A stream begins with the cookie of its request and outlives its tokens: the next cookie of
 * the same session, or the notice of another process, gives it the next ones.
 */
export class LiveSessions {
  readonly #live = new LRUCache<string, LiveSession>({ max: MAX_LIVE });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The newest tokens of the session, which may be those that the caller brings. */
  newest(session: OidcSession): OidcSession {
    return this.#of(session).newest;
  }

  /** Another process has renewed the tokens; nothing is done where the session is not known here. */
  hear(session: OidcSession): void {
    if (this.#live.has(session.id)) this.#of(session);
  }

  /** Sessions known here, newest tokens each. */
  known(): readonly OidcSession[] {
    return [...this.#live.values()].map(({ newest }) => newest);
  }

  forget(id: string): void {
    this.#live.delete(id);
  }

  /** What the session proves itself with, as long as it lasts. @param way as the main application takes it */
  credentialOf(session: OidcSession, way: "oauth" | "oidc"): Credential {
    const live = this.#of(session);
    const current = (): OidcSession => this.#current(live);
    const isOver = (atMs: number): boolean => this.#clock.now() >= atMs;
    if (way === "oidc") {
      return {
        way,
        get idToken() {
          return current().token;
        },
      };
    }
    return {
      way,
      get accessToken() {
        return current().token;
      },
      get proxyToken() {
        const { proxyToken } = live.newest;
        return proxyToken === undefined || isOver(proxyToken.endsAtMs) ? undefined : proxyToken.token;
      },
    };
  }

  /** @throws Fault `main_application_unavailable` for a minute after the tokens have ended, then `session_ended` */
  #current({ newest }: LiveSession): OidcSession {
    const overMs = this.#clock.now() - newest.tokenEndsAtMs;
    if (overMs < 0) return newest;
    if (overMs > RENEWAL_PATIENCE_MS || newest.refreshToken === undefined) throw sessionEnded();
    throw new MessageFault("main_application_unavailable", words("problem/sign-in-renewing"));
  }

  #of(session: OidcSession): LiveSession {
    const live = this.#live.get(session.id) ?? new LiveSession(session);
    this.#live.set(session.id, live);
    if (session.renewal > live.newest.renewal || session.proxyToken?.endsAtMs !== live.newest.proxyToken?.endsAtMs)
      live.newest = newerOf(session, live.newest);
    return live;
  }
}

/** Of one renewal the one with a token for the k8s-proxy is newer: it was added later. */
function newerOf(one: OidcSession, other: OidcSession): OidcSession {
  if (one.renewal !== other.renewal) return one.renewal > other.renewal ? one : other;
  return (one.proxyToken?.endsAtMs ?? 0) > (other.proxyToken?.endsAtMs ?? 0) ? one : other;
}
