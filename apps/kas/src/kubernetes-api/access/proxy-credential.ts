import type { IncomingMessage } from "node:http";

import { ProxyRefusal } from "../http/proxy-refusal.ts";
import type { ProxyTarget } from "./proxy-target.ts";
import { hasTokenProtocol } from "../http/upgrade-response.ts";

/** What a request shows, and for which agent. */
export type ProxyCredential =
  | { readonly kind: "cookie"; readonly agentId: bigint; readonly session: string; readonly csrfToken: string }
  | { readonly kind: "pat"; readonly agentId: bigint; readonly token: string }
  | { readonly kind: "oidc"; readonly agentId: bigint; readonly token: string }
  | { readonly kind: "ci"; readonly agentId: bigint; readonly token: string };

const MAX_ID = 2n ** 63n - 1n;

function agentIdOf(text: string): bigint {
  const id = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (id === undefined || id > MAX_ID) throw new ProxyRefusal(401, "the agent id must be a number");
  return id;
}

/** All values of a header, as separate lines. */
function linesOf(request: IncomingMessage, name: string): readonly string[] {
  return request.headersDistinct[name] ?? [];
}

/** The credential of one `Authorization`. @throws ProxyRefusal 401 when it is malformed */
export function authorizationCredential(line: string): ProxyCredential {
  const value = /^Bearer +(\S+)$/.exec(line)?.[1];
  if (value === undefined) throw new ProxyRefusal(401, "Authorization header: expecting Bearer token");
  const afterType = value.indexOf(":");
  const afterAgent = value.indexOf(":", afterType + 1);
  if (afterType < 0 || afterAgent < 0) throw new ProxyRefusal(401, "Authorization header: invalid value");
  const type = value.slice(0, afterType);
  const token = value.slice(afterAgent + 1);
  if (type !== "ci" && type !== "pat" && type !== "oidc") throw new ProxyRefusal(401, "Authorization header: unknown token type");
  const agentId = agentIdOf(value.slice(afterType + 1, afterAgent));
  if (token === "") throw new ProxyRefusal(401, "Authorization header: empty token");
  return { kind: type, agentId, token };
}

function cookieOf(request: IncomingMessage, name: string): readonly string[] {
  return linesOf(request, "cookie")
    .flatMap((line) => line.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

function exactlyOne(values: readonly string[], what: string): string {
  const [value] = values;
  if (values.length !== 1 || value === undefined || value === "")
    throw new ProxyRefusal(401, `exactly one ${what} is needed, there are ${values.length}`);
  return value;
}

/** Whether the request bears exactly this session, as a browser sends it. */
export function showsSession(request: IncomingMessage, session: string): boolean {
  const [raw, ...others] = cookieOf(request, "_gitlab_kas");
  if (raw === undefined || others.length > 0) return false;
  try {
    return decodeURIComponent(raw) === session;
  } catch {
    return false;
  }
}

/**
 * The credential of a request: `Authorization` before the cookie.
 *
 * @throws ProxyRefusal 401 when there is none, or it is malformed
 */
export function credentialOf(request: IncomingMessage, target: ProxyTarget): ProxyCredential {
  const authorization = linesOf(request, "authorization");
  if (authorization.length > 1) throw new ProxyRefusal(401, `Authorization header: expecting a single header, got ${authorization.length}`);
  if (authorization[0] !== undefined) return authorizationCredential(authorization[0]);
  const cookies = cookieOf(request, "_gitlab_kas");
  if (cookies.length === 0 && hasTokenProtocol(request))
    throw new ProxyRefusal(401, "a token in Sec-WebSocket-Protocol is not taken: send it as Authorization, or use the cookie");
  if (cookies.length === 0) throw new ProxyRefusal(401, "Authorization header: expecting token");
  const agentId = agentIdOf(exactlyOne([...linesOf(request, "gitlab-agent-id"), ...target.agentIds], "agent id (Gitlab-Agent-Id)"));
  const csrfToken = exactlyOne([...linesOf(request, "x-csrf-token"), ...target.csrfTokens], "CSRF token (X-Csrf-Token)");
  const raw = exactlyOne(cookies, "cookie _gitlab_kas");
  try {
    // Rack escapes what it puts into a cookie.
    return { kind: "cookie", agentId, session: decodeURIComponent(raw), csrfToken };
  } catch {
    throw new ProxyRefusal(401, "the cookie _gitlab_kas is not properly encoded");
  }
}
