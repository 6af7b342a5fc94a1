import type { Secret } from "@binnacle/telemetry";
import { parseCookie } from "cookie";

/** Name of the main application's session cookie, the only one that is forwarded to it. */
export const MAIN_SESSION_COOKIE = "_gitlab_session";

/**
 * How a viewer proves who they are (docs/design/contract.md "Identity of a viewer"): by the main application's session, by a personal access
 * token, or by what the provider of a sign-in gave: an access token of the main application with a token for the k8s-proxy beside it, or an
 * ID token for both. The provider's are read anew for each use: they are renewed while the session lasts. Reading them may throw Fault
 * `session_ended`, or `main_application_unavailable` while their page renews them.
 */
export type Credential =
  | { readonly way: "cookie"; readonly sessionCookie: Secret }
  | { readonly way: "token"; readonly token: Secret }
  | { readonly way: "oauth"; readonly accessToken: Secret; /** `undefined`: there is none. */ readonly proxyToken: Secret | undefined }
  | { readonly way: "oidc"; readonly idToken: Secret };

/** Cookies of a `Cookie` header, values as sent. Of two with one name the first counts: it belongs to the longest path (RFC 6265 §5.4). */
export function parseCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const cookies = Object.entries(parseCookie(header ?? "", { decode: (value) => value }));
  return new Map(cookies.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

/** The secret of a credential, of whichever way. @throws Fault as reading it does */
export function secretOf(credential: Credential): Secret {
  if (credential.way === "cookie") return credential.sessionCookie;
  if (credential.way === "oauth") return credential.accessToken;
  return credential.way === "token" ? credential.token : credential.idToken;
}
