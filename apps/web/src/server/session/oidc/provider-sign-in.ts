import { randomBytes } from "node:crypto";

import { Fault, settlesWithin, type Clock } from "@binnacle/rpc";
import { Secret, type Logger } from "@binnacle/telemetry";

import { clientAddressOf } from "../../base/client-address.ts";
import type { OidcConfig } from "../../config/sign-in.ts";
import type { SignInLimit } from "../../http/sign-in-limit.ts";
import type { CredentialNames } from "../../main-application/credential-names.ts";
import { parseCookies, type Credential } from "../../main-application/credential.ts";
import type { MainApplication, ViewerAccess } from "../../main-application/main-application.ts";
import { headersWith, type SessionCookies } from "../session-cookies.ts";
import { SESSION_SECONDS } from "../session-seal.ts";
import type { OidcClient, ProviderTokens } from "./oidc-client.ts";
import { OidcFailure } from "./oidc-failure.ts";
import type { OidcSeal, OidcSession, ProxyToken } from "./oidc-seal.ts";
import type { SignInCookies } from "./sign-in-cookie.ts";

/** A sign-in or sign-out does not wait longer for the provider to revoke tokens. */
export const REVOKE_MS = 5_000;
/** kas refuses longer lists too: with a list that is cut a viewer would be another one at each sign-in. */
const MAX_GROUPS = 200;

/** Why a sign-in failed, for the sign-in page. */
type SignInProblem = "denied" | "refused" | "unavailable" | "not-begun" | "not-accepted" | "too-many-groups" | "too-large" | "too-often";

/** What a sign-in works with. */
export interface ProviderSignInOptions {
  readonly config: OidcConfig;
  /** What the addresses of the dashboard begin with, "" or "/one/two". */
  readonly pathPrefix: string;
  readonly mainApplication: MainApplication;
  readonly client: OidcClient;
  readonly cookies: SessionCookies;
  readonly begun: SignInCookies;
  readonly seal: OidcSeal;
  readonly names: CredentialNames;
  readonly limit: SignInLimit;
  readonly credentialOf: (session: OidcSession) => Credential;
  readonly accessOf: (of: { readonly credential: Credential; readonly session: string; readonly clientAddress: string }) => ViewerAccess;
  /** Makes the token for the k8s-proxy, where the main application does. */
  readonly proxyToken: (accessToken: Secret, clientAddress: string) => Promise<ProxyToken | undefined>;
  /** The session of a `Cookie` header is over, of whichever way: another takes its place. */
  readonly endPresent: (cookieHeader: string | null) => Promise<void>;
  readonly revoke: (session: OidcSession) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** From the button to the session: to the provider, back with a code, and to the address where it began. */
export class ProviderSignIn {
  readonly #options: ProviderSignInOptions;

  constructor(options: ProviderSignInOptions) {
    this.#options = options;
  }

  /** Leads to the provider. @param returnTo a safe path */
  async start(headers: Headers, returnTo: string): Promise<Response> {
    try {
      const { url, secrets } = await this.#options.client.begin();
      return redirect(url.href, await this.#options.begun.begin({ ...secrets, returnTo }, parseCookies(headers.get("cookie"))));
    } catch (error) {
      return this.failed(error, returnTo);
    }
  }

  /** The provider sends a browser back. */
  async callback(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const present = parseCookies(request.headers.get("cookie"));
    const state = searchParams.get("state") ?? "";
    const begun = await this.#options.begun.find(state, present);
    if (begun === undefined) return this.#problem("not-begun", "/");
    const { limit, names, pathPrefix, clock } = this.#options;
    const forget = this.#options.begun.end(state);
    const clientAddress = clientAddressOf(request.headers);
    try {
      limit.attempt({ clientAddress, tokenName: names.of(new Secret(state)) });
      const session = this.#sessionOf(await this.#options.client.finish(searchParams, begun));
      if (typeof session === "string") return this.#problem(session, begun.returnTo, [forget]);
      const refusal = await this.#viewerRefusal(session, request, clientAddress);
      if (refusal !== undefined) {
        await settlesWithin(this.#options.revoke(session), REVOKE_MS, clock);
        return this.#problem(refusal, begun.returnTo, [forget]);
      }
      const whole = { ...session, proxyToken: await this.#options.proxyToken(session.token, clientAddress) };
      // A session of before, however it came into this browser, has no part in this one.
      await this.#options.endPresent(request.headers.get("cookie"));
      const lines = this.#options.cookies.write(await this.#options.seal.seal(whole), SESSION_SECONDS, present);
      if (lines === undefined) return this.#problem("too-large", begun.returnTo, [forget]);
      return redirect(`${pathPrefix}${begun.returnTo}`, [...lines, forget]);
    } catch (error) {
      return this.failed(error, begun.returnTo, [forget]);
    }
  }

  #sessionOf({ claims, ...tokens }: ProviderTokens): OidcSession | SignInProblem {
    const { clock, config, mainApplication } = this.#options;
    const [token, endsAtMs] =
      mainApplication.signIn === "oauth" ? [tokens.accessToken, tokens.accessEndsAtMs] : [tokens.idToken, tokens.idEndsAtMs];
    if (claims?.sub === undefined || token === undefined || endsAtMs === undefined) return "refused";
    const groups = claims[config.groups_claim];
    if (mainApplication.signIn === "oidc" && Array.isArray(groups) && groups.length > MAX_GROUPS) return "too-many-groups";
    const signedInAtMs = Math.floor(clock.now() / 1_000) * 1_000;
    return {
      id: randomBytes(16).toString("base64url"),
      subject: claims.sub,
      providerSession: typeof claims["sid"] === "string" ? claims["sid"] : undefined,
      token,
      refreshToken: tokens.refreshToken,
      proxyToken: undefined,
      tokenBeganAtMs: clock.now(),
      tokenEndsAtMs: endsAtMs,
      renewal: 0,
      signedInAtMs,
      expiresAtMs: signedInAtMs + SESSION_SECONDS * 1_000,
      keyId: "",
    };
  }

  /** Whether the main application takes the viewer; `undefined` when it does. */
  async #viewerRefusal(session: OidcSession, request: Request, clientAddress: string): Promise<SignInProblem | undefined> {
    try {
      const access = this.#options.accessOf({ credential: this.#options.credentialOf(session), session: session.id, clientAddress });
      await access.viewer(request.signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return error.reason === "session_ended" ? "not-accepted" : "unavailable";
    }
  }

  /** A failed sign-in is for the sign-in page, which keeps the address. @throws what is no expected failure */
  failed(error: unknown, returnTo: string, cookies: readonly string[] = []): Response {
    if (error instanceof Fault && error.reason === "rate_limited") return this.#problem("too-often", returnTo, cookies);
    if (!(error instanceof OidcFailure)) throw error;
    this.#options.log.warn({ reason: error.message }, "a sign-in by the provider failed");
    return this.#problem(error.kind === "stale" ? "refused" : error.kind, returnTo, cookies);
  }

  #problem(problem: SignInProblem, returnTo: string, cookies: readonly string[] = []): Response {
    return redirect(`${this.#options.pathPrefix}/sign-in?problem=${problem}&return_to=${encodeURIComponent(returnTo)}`, cookies);
  }
}

/** Leads elsewhere, with `Set-Cookie` lines. */
export function redirect(location: string, cookies: readonly string[]): Response {
  const headers = headersWith(cookies);
  headers.set("location", location);
  headers.set("cache-control", "no-store");
  return new Response(null, { status: 302, headers });
}
