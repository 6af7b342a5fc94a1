import type { IncomingHttpHeaders, ServerHttp2Session } from "node:http2";

import { parseVersion, type AgentVersion } from "./agent-version.ts";

/** Agents, by token and user agent, whose version is kept for one session. */
const MAX_PER_SESSION = 8;
const MAX_USER_AGENT = 256;

/**
 * Versions from `AgentMeta`. It comes on other streams than the tunnels (GetConfiguration, Register), so it is kept for the HTTP/2 session. A
 * proxy may carry several agents, or two replicas of one in the middle of an update, over one session: a version counts only for streams
 * with the same agent and the same user agent as the stream it came on.
 */
export class SessionVersions {
  readonly #sessions = new WeakMap<ServerHttp2Session, Map<string, AgentVersion | "unknown">>();

  /**
   * Stores the version that a stream of the session reports; an empty one is ignored.
   *
   * @returns whether something has changed
   */
  learn(session: ServerHttp2Session, of: { readonly agentId: bigint; readonly headers: IncomingHttpHeaders }, text: string): boolean {
    const key = keyOf(of);
    if (text === "" || key === undefined) return false;
    const known = this.#sessions.get(session) ?? new Map<string, AgentVersion | "unknown">();
    const before = known.get(key);
    if (before === undefined && known.size >= MAX_PER_SESSION) return false;
    const version = parseVersion(text) ?? "unknown";
    known.set(key, version);
    this.#sessions.set(session, known);
    return String(before) !== String(version);
  }

  /** The version in the `AgentMeta` of a stream of the session; `undefined`: none yet. */
  of(
    session: ServerHttp2Session,
    of: { readonly agentId: bigint; readonly headers: IncomingHttpHeaders },
  ): AgentVersion | "unknown" | undefined {
    const key = keyOf(of);
    return key === undefined ? undefined : this.#sessions.get(session)?.get(key);
  }
}

/** `undefined` for a user agent that is too long to be kept. */
function keyOf({ agentId, headers }: { readonly agentId: bigint; readonly headers: IncomingHttpHeaders }): string | undefined {
  const userAgent = headers["user-agent"] ?? "";
  return userAgent.length > MAX_USER_AGENT ? undefined : `${agentId} ${userAgent}`;
}
