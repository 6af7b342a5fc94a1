import { Fault } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import { sessionEnded } from "../base/session-ended.ts";
import type { SignInLimit } from "../http/sign-in-limit.ts";
import type { CredentialNames } from "../main-application/credential-names.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { isToken } from "./token-session.ts";

/** An unknown token that comes again within this time is refused without another query: one job with a wrong token uses up one attempt. */
const WRONG_FOR_MS = 60_000;
const MAX_REMEMBERED = 10_000;

const NEVER = new AbortController().signal;

/** What the check of tokens works with. */
export interface BearerTokensOptions {
  readonly names: CredentialNames;
  /** The one of the sign-in: both doors count attempts together. */
  readonly limit: SignInLimit;
  readonly accessOf: (token: Secret, clientAddress: string) => Pick<ViewerAccess, "viewer">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Whether a request authenticates by `Authorization: Bearer`: none of its cookies is read then. */
export function isBearerCall(headers: Headers): boolean {
  return /^bearer(?: |$)/i.test(headers.get("authorization") ?? "");
}

/** The cookies that count in a request. */
export function cookiesOf(headers: Headers): string | undefined {
  return isBearerCall(headers) ? undefined : (headers.get("cookie") ?? undefined);
}

/**
 * Personal access tokens that programs send with each call (`Authorization: Bearer`). There is no session: a token is as good as the main
 * application says, and unknown ones are limited as attempts to sign in are.
 */
export class BearerTokens {
  readonly #options: BearerTokensOptions;
  readonly #checking = new Map<string, Promise<void>>();
  readonly #wrong = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  constructor(options: BearerTokensOptions) {
    this.#options = options;
  }

  /**
   * The token of a call that `isBearerCall`, once the main application has accepted it.
   *
   * @throws Fault `session_ended` for a malformed, unknown or revoked token, `rate_limited`, `main_application_unavailable`
   */
  async find(headers: Headers, clientAddress: string): Promise<Secret> {
    const text = (headers.get("authorization") ?? "").slice("bearer ".length).trim();
    if (!isToken(text)) throw sessionEnded();
    const token = new Secret(text);
    const { limit, names, now } = this.#options;
    const name = names.of(token);
    if (limit.knows(name)) return token;
    if (now() - (this.#wrong.get(name) ?? -Infinity) < WRONG_FOR_MS) throw sessionEnded();
    // Calls that begin together are one attempt.
    await (this.#checking.get(name) ?? this.#check(token, name, clientAddress));
    return token;
  }

  /** The main application no longer accepts the token. */
  rejected(token: Secret): void {
    const name = this.#options.names.of(token);
    this.#options.limit.forget(name);
    this.#wrong.set(name, this.#options.now());
  }

  #check(token: Secret, name: string, clientAddress: string): Promise<void> {
    const { accessOf, limit } = this.#options;
    limit.attempt({ clientAddress, tokenName: name });
    const checking = accessOf(token, clientAddress)
      // Shared by all that wait: the cancellation of one does not abort it; the query has its own time limit.
      .viewer(NEVER)
      .then(
        () => limit.accepted(name),
        (error: unknown) => {
          if (error instanceof Fault && error.reason === "session_ended") this.rejected(token);
          throw error;
        },
      )
      .finally(() => this.#checking.delete(name));
    this.#checking.set(name, checking);
    return checking;
  }
}
