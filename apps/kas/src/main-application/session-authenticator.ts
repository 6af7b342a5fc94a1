import { Fault, type Clock } from "@binnacle/rpc";

import type { ConnectionLimit } from "../limits/connection-limit.ts";
import type { AgentAuthenticator, AgentInfo } from "./agent-info.ts";

/** A token that an agent's connection shows. */
export interface ShownToken {
  /** The connection; what is remembered goes with it. */
  readonly session: object;
  /** Value of the `authorization` metadata. */
  readonly authorization: string | undefined;
  /** The client's address. */
  readonly address?: string | undefined;
}

/** The caller of a query; the signal, which aborts when the caller disconnects, may be created only when it is read. */
interface Asking {
  readonly signal: AbortSignal;
}

/** What the authenticator needs. */
export interface SessionAuthenticatorOptions {
  readonly authenticator: AgentAuthenticator;
  readonly clock: Clock;
  /** Counts connections per token. */
  readonly limit?: ConnectionLimit | undefined;
}

/** An answer is valid for so long after its query; with the time of the next query, a revoked token is rejected within five minutes. */
const PROOF_MS = 270_000;
/** A fresh proof may come from a recent query for another session. */
const FRESH_MS = PROOF_MS / 2;
/** While the main application is unavailable. */
const RETRY_MS = 30_000;
/** An agent uses one token, another client may use a few; the tokens of a session with more are forgotten at the limit. */
const MAX_TOKENS_OF_SESSION = 16;

/**
 * Says whose token a connection shows, and remembers it while the proof holds: a busy agent opens thousands of tunnels on one connection,
 * and none of them but the first costs a digest or a question.
 */
export class SessionAuthenticator {
  readonly #options: SessionAuthenticatorOptions;
  /** By the header as it came: the connection holds it anyway. */
  readonly #proved = new WeakMap<object, Map<string, AgentInfo>>();

  constructor(options: SessionAuthenticatorOptions) {
    this.#options = options;
  }

  /** @throws Fault of the authenticator; `rate_limited` for one connection too many */
  authenticate(shown: ShownToken, asking: Asking): Promise<AgentInfo> {
    const info = this.known(shown);
    return info === undefined ? this.#ask(shown, asking) : Promise.resolve(info);
  }

  /** What the connection has proved with the same token, while that holds. */
  known({ session, authorization = "" }: ShownToken): AgentInfo | undefined {
    const info = this.#proved.get(session)?.get(authorization);
    return info !== undefined && this.proofLeftMs(info) > 0 ? info : undefined;
  }

  /**
   * Whether the token is still good. What was known before the proof of an open tunnel was due does not count.
   *
   * @throws Fault of the authenticator: a refusal of the token, or that the main application is unavailable
   */
  prove(shown: ShownToken, asking: Asking): Promise<AgentInfo> {
    return this.#ask(shown, asking, FRESH_MS);
  }

  /** Milliseconds until sessions that depend on this answer must be proved again. */
  proofLeftMs(info: AgentInfo): number {
    const now = this.#options.clock.now();
    return Math.max(0, (info.provedAtMs ?? now) + PROOF_MS - now);
  }

  /** Milliseconds until a proof that failed for no fault of the token's is tried again. */
  retryMs(error: unknown): number {
    const seconds = error instanceof Fault ? (error.retryAfterSeconds ?? 0) : 0;
    return Math.max(RETRY_MS, seconds * 1_000);
  }

  async #ask(shown: ShownToken, { signal }: Asking, maxAgeMs?: number): Promise<AgentInfo> {
    const { authenticator, limit, clock } = this.#options;
    const { session, authorization = "", address } = shown;
    try {
      const info = await authenticator.authenticate(shown.authorization, signal, { address, maxAgeMs });
      // The token alone: the scheme can be written in many ways.
      limit?.takeOnce(session, authorization.replace(/^bearer +/i, ""));
      this.#provedOf(session).set(authorization, { ...info, provedAtMs: info.provedAtMs ?? clock.now() });
      return info;
    } catch (error) {
      if (error instanceof Fault && isRefusal(error)) this.#proved.get(session)?.delete(authorization);
      throw error;
    }
  }

  #provedOf(session: object): Map<string, AgentInfo> {
    let proved = this.#proved.get(session);
    if (proved === undefined || proved.size >= MAX_TOKENS_OF_SESSION) {
      proved = new Map();
      this.#proved.set(session, proved);
    }
    return proved;
  }
}

/** Whether the main application has answered that the token is not valid, or not valid any more. */
export function isRefusal({ reason }: Fault): boolean {
  return (
    reason === "token_unknown" ||
    reason === "token_missing" ||
    reason === "agent_forbidden" ||
    reason === "agent_unknown" ||
    reason === "not_found"
  );
}
