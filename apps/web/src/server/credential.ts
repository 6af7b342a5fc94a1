import type { Secret } from "@binnacle/telemetry";

/** Name of our cookie with the id of a token session. */
export const TOKEN_SESSION_COOKIE = "_binnacle_session";

/** Name of the main application's session cookie, the only one that is forwarded to it. */
export const MAIN_SESSION_COOKIE = "_gitlab_session";

/**
 * How a viewer proves who they are (docs/design/contract.md "Identity of a viewer"): by the main application's session, or
 * by a personal access token.
 */
export type Credential = { readonly way: "cookie"; readonly sessionCookie: Secret } | { readonly way: "token"; readonly token: Secret };

/** Cookies of a `Cookie` header, values as sent. */
export function parseCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals <= 0) continue;
    const name = pair.slice(0, equals).trim();
    // The first one wins: it belongs to the longest path (RFC 6265 §5.4), a later one may have been planted.
    if (!cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}
