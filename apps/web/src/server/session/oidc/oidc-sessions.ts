import { parseJson } from "@binnacle/kube";
import { Fault, settlesWithin, type Clock } from "@binnacle/rpc";
import { Secret, type Logger } from "@binnacle/telemetry";
import { z } from "zod";

import { safeReturnPath } from "../../../features/session/safe-return-path.ts";
import type { OidcConfig } from "../../config/sign-in.ts";
import type { SessionKeyRing } from "../../config/session-keys.ts";
import type { SignInLimit } from "../../http/sign-in-limit.ts";
import type { PageRenewal } from "../../http/web-server.ts";
import type { CredentialNames } from "../../main-application/credential-names.ts";
import { parseCookies, type Credential } from "../../main-application/credential.ts";
import type { MainApplication, ViewerAccess } from "../../main-application/main-application.ts";
import { headersWith, SessionCookies, type SessionCookieOptions } from "../session-cookies.ts";
import { LiveSessions } from "./live-sessions.ts";
import { OidcClient } from "./oidc-client.ts";
import { OidcFailure } from "./oidc-failure.ts";
import { OidcSeal, type OidcSession, type ProxyToken } from "./oidc-seal.ts";
import { ProviderLogouts } from "./provider-logouts.ts";
import { ProviderSignIn, redirect, REVOKE_MS } from "./provider-sign-in.ts";
import { SessionRenewal } from "./session-renewal.ts";
import { SignInCookies } from "./sign-in-cookie.ts";

/** Where the provider sends browsers back to. */
const CALLBACK_PATH = "/api/session/callback";
/** Where the provider says that a session of its own is over. */
const BACKCHANNEL_PATH = "/api/session/backchannel-logout";
const RENEW_PATH = "/api/session/renew";

const MAX_PASTED_CHARACTERS = 256;
const pastedSchema = z.strictObject({
  token: z
    .string()
    .trim()
    .regex(/^[\w.-]+$/)
    .max(MAX_PASTED_CHARACTERS),
});

/** What the endpoints work with. */
export interface OidcSessionsOptions {
  readonly config: OidcConfig;
  readonly externalUrl: string;
  /** What the addresses of the dashboard begin with, "" or "/one/two". */
  readonly pathPrefix: string;
  readonly caCertificate: string | undefined;
  readonly keys: SessionKeyRing;
  readonly cookieOptions: SessionCookieOptions;
  readonly mainApplication: MainApplication;
  readonly names: CredentialNames;
  readonly limit: SignInLimit;
  readonly accessOf: (of: { readonly credential: Credential; readonly session: string; readonly clientAddress: string }) => ViewerAccess;
  /** The session of a `Cookie` header is over, of whichever way: another takes its place. */
  readonly endPresent: (cookieHeader: string | null) => Promise<void>;
  /** A session is over, here and in all processes. */
  readonly over: (session: OidcSession) => void;
  /** A session is over here: the others hear it from the same notice. */
  readonly overHere: (session: OidcSession) => void;
  readonly tellPeers: (sealed: string) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sign-in by an OpenID Connect provider (docs/design/sign-in.md): the browser has the session in a sealed cookie, as with a token. */
export class OidcSessions {
  readonly #options: OidcSessionsOptions;
  readonly #client: OidcClient;
  readonly #cookies: SessionCookies;
  readonly #seal: OidcSeal;
  readonly #renewedSeal: OidcSeal;
  readonly #live: LiveSessions;
  readonly #logouts: ProviderLogouts;
  readonly #renewal: SessionRenewal;
  readonly #signIn: ProviderSignIn;

  constructor(options: OidcSessionsOptions) {
    const { config, clock, keys, cookieOptions, caCertificate, externalUrl, mainApplication, pathPrefix, tellPeers } = options;
    this.#options = options;
    const redirectUri = `${new URL(externalUrl).origin}${pathPrefix}${CALLBACK_PATH}`;
    this.#client = new OidcClient({ config, redirectUri, caCertificate, clock });
    this.#cookies = new SessionCookies(cookieOptions);
    this.#seal = new OidcSeal(keys, clock);
    this.#renewedSeal = new OidcSeal(keys, clock, "renewed");
    this.#live = new LiveSessions(clock);
    this.#logouts = new ProviderLogouts(keys, clock);
    this.#renewal = new SessionRenewal({
      client: this.#client,
      way: mainApplication.signIn,
      live: this.#live,
      proxyToken: (accessToken, present) => this.#proxyToken(accessToken, "", present),
      renewed: (session) => {
        if (this.#logouts.has(session)) return;
        void this.#renewedSeal.seal(session).then((sealed) => tellPeers(sealed)); // sealing does not fail
      },
      clock,
    });
    this.#signIn = new ProviderSignIn({
      ...options,
      client: this.#client,
      cookies: this.#cookies,
      begun: new SignInCookies(keys, clock, cookieOptions),
      seal: this.#seal,
      credentialOf: (session) => this.credentialOf(session),
      proxyToken: (accessToken, clientAddress) => this.#proxyToken(accessToken, clientAddress, undefined),
      revoke: (session) => this.revoke(session),
    });
  }

  /** The session in a sealed text; `undefined` when it is none of these, or over at the provider. */
  async open(text: string): Promise<OidcSession | undefined> {
    const session = await this.#seal.open(text);
    return session === undefined || this.#logouts.has(session) ? undefined : session;
  }

  /** What a session proves itself with, renewed while it lasts. */
  credentialOf(session: OidcSession): Credential {
    return this.#live.credentialOf(session, this.#options.mainApplication.signIn);
  }

  /** What a page learns of its session. */
  describe(session: OidcSession): Record<string, unknown> {
    const newest = this.#live.newest(session);
    const { clock, mainApplication } = this.#options;
    const { proxyToken } = newest;
    const isThere = proxyToken !== undefined && clock.now() < proxyToken.endsAtMs;
    const clusterToken = !isThere ? "missing" : proxyToken.id === undefined ? "pasted" : "made";
    return {
      renewInSeconds: this.#renewal.dueInSeconds(newest) ?? null,
      ...(mainApplication.proxyTokens === undefined ? {} : { clusterToken }),
    };
  }

  /** Where a page's request goes first when the tokens of its session have ended, or else when the page renews them. */
  renewalOf(session: OidcSession, returnPath: string): PageRenewal | undefined {
    const newest = this.#live.newest(session);
    const inSeconds = this.#renewal.dueInSeconds(newest);
    if (inSeconds === undefined || this.#options.clock.now() < newest.tokenEndsAtMs)
      return inSeconds === undefined ? undefined : { inSeconds };
    return { url: `${this.#options.pathPrefix}${RENEW_PATH}?return_to=${encodeURIComponent(safeReturnPath(returnPath))}` };
  }

  /** Address of the sign-in that leads back to a path of the dashboard. */
  startUrl(returnPath: string): string {
    const { externalUrl, pathPrefix } = this.#options;
    return `${new URL(externalUrl).origin}${pathPrefix}/api/session/start?return_to=${encodeURIComponent(safeReturnPath(returnPath))}`;
  }

  /** Answers what browsers are led to from elsewhere; `undefined` for other requests. @param session of the request */
  async navigate(request: Request, session: OidcSession | undefined): Promise<Response | undefined> {
    if (request.method !== "GET") return undefined;
    const { pathname, searchParams } = new URL(request.url);
    const returnTo = safeReturnPath(searchParams.get("return_to"));
    if (pathname === "/api/session/start") return this.#signIn.start(request.headers, returnTo);
    if (pathname === CALLBACK_PATH) return this.#signIn.callback(request);
    if (pathname === RENEW_PATH) return this.#renewPage(request, session, returnTo);
    return undefined;
  }

  /** Answers what pages of ours and the provider's server send; `undefined` for other requests. @param session of the request */
  async handle(request: Request, session: OidcSession | undefined): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && pathname === BACKCHANNEL_PATH) return this.#backchannel(request);
    if (request.method === "POST" && pathname === RENEW_PATH) return this.#renew(request, session);
    if (request.method === "POST" && pathname === "/api/session/cluster-token") return this.#paste(request, session);
    if (request.method === "DELETE" && session !== undefined) return this.#signOut(request, session);
    return undefined;
  }

  /** Another web process has renewed tokens, or has verified a logout. @returns whether the notice is one of these */
  async hear(sealed: string): Promise<boolean> {
    const logout = await this.#logouts.open(sealed);
    if (logout !== undefined) {
      this.#logouts.add(logout);
      this.#endLoggedOut();
      return true;
    }
    const renewed = await this.#renewedSeal.open(sealed);
    if (renewed !== undefined) this.#live.hear(renewed);
    return renewed !== undefined;
  }

  /** The session was ended: the provider and the main application are to accept its tokens no longer. Never rejects. */
  async revoke(session: OidcSession): Promise<void> {
    const { token, refreshToken, proxyToken } = this.#live.newest(session);
    const { proxyTokens, signIn } = this.#options.mainApplication;
    this.#live.forget(session.id);
    if (proxyToken?.id !== undefined) await proxyTokens?.revoke(token, proxyToken.id);
    await this.#client.revoke([...(refreshToken ? [refreshToken] : []), ...(signIn === "oauth" ? [token] : [])]);
  }

  /** From now on the provider is held against this authority. @param caCertificate PEM text */
  trust(caCertificate: string): void {
    this.#client.trust(caCertificate);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /** The token for the k8s-proxy: that which is there, or a new one; `undefined` where none is made. */
  async #proxyToken(accessToken: Secret, clientAddress: string, present: ProxyToken | undefined): Promise<ProxyToken | undefined> {
    const { config, mainApplication, log } = this.#options;
    const { proxyTokens } = mainApplication;
    // read_api may make none: the viewer pastes one.
    if (proxyTokens === undefined || !config.scopes.includes("api")) return present;
    try {
      const created = await proxyTokens.create(accessToken, { clientAddress });
      if (created !== undefined && present?.id !== undefined) await proxyTokens.revoke(accessToken, present.id);
      return created ?? present;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ reason: error.reason }, "no token for the k8s-proxy could be made for a viewer");
      return present;
    }
  }

  /** A page asks for new tokens; `again`: its cookie was stale the first time, and this may be a newer one. */
  async #renew(request: Request, session: OidcSession | undefined): Promise<Response> {
    if (session === undefined) return Response.json({ message: "There is no session to renew." }, { status: 401 });
    const again = z.object({ again: z.literal(true) }).safeParse(parseJson(await request.text())).success;
    try {
      const { lines, renewed } = await this.#renewedCookies(session, request.headers);
      return Response.json(this.describe(renewed), { headers: headersWith(lines) });
    } catch (error) {
      if (!(error instanceof OidcFailure)) throw error;
      if (error.kind === "unavailable") return Response.json({ message: "The sign-in provider does not answer." }, { status: 503 });
      return again ? this.#endedBy(session, error) : Response.json({ message: "These tokens were used before." }, { status: 409 });
    }
  }

  #endedBy(session: OidcSession, { message }: OidcFailure): Response {
    this.#options.log.info({ reason: message }, "a session could not be renewed");
    this.#options.over(session);
    return Response.json({ message: "The session has ended." }, { status: 401 });
  }

  /** A page is requested after its tokens have ended: they are renewed on the way. */
  async #renewPage(request: Request, session: OidcSession | undefined, returnTo: string): Promise<Response> {
    const { pathPrefix } = this.#options;
    if (session === undefined) return redirect(this.startUrl(returnTo), []);
    const again = new URL(request.url).searchParams.has("again");
    try {
      const { lines } = await this.#renewedCookies(session, request.headers);
      return redirect(`${pathPrefix}${returnTo}`, lines);
    } catch (error) {
      if (!(error instanceof OidcFailure) || error.kind === "unavailable") return this.#signIn.failed(error, returnTo);
      // Another process may have renewed them meanwhile: by now the browser may have its cookie.
      if (!again) return redirect(`${pathPrefix}${RENEW_PATH}?again=1&return_to=${encodeURIComponent(returnTo)}`, []);
      this.#options.over(session);
      return redirect(this.startUrl(returnTo), []);
    }
  }

  async #renewedCookies(session: OidcSession, headers: Headers): Promise<{ lines: readonly string[]; renewed: OidcSession }> {
    const renewed = await this.#renewal.renew(session);
    return { renewed, lines: await this.#linesOf(renewed, headers) };
  }

  async #linesOf(session: OidcSession, headers: Headers): Promise<readonly string[]> {
    const maxAge = Math.max(1, Math.floor((session.expiresAtMs - this.#options.clock.now()) / 1_000));
    const lines = this.#cookies.write(await this.#seal.seal(session), maxAge, parseCookies(headers.get("cookie")));
    if (lines === undefined) throw new OidcFailure("refused", "the new tokens do not fit into cookies");
    return lines;
  }

  /** The viewer pastes a token for the k8s-proxy, where the main application makes none. */
  async #paste(request: Request, session: OidcSession | undefined): Promise<Response> {
    if (session === undefined || this.#options.mainApplication.proxyTokens === undefined)
      return Response.json({ message: "There is no session for it." }, { status: 401 });
    const pasted = pastedSchema.safeParse(parseJson(await request.text())).data;
    if (pasted === undefined) return Response.json({ message: "This is no personal access token." }, { status: 400 });
    const newest = this.#live.newest(session);
    const proxyToken = { token: new Secret(pasted.token), id: undefined, endsAtMs: newest.expiresAtMs };
    const lines = await this.#linesOf(this.#renewal.adopt({ ...newest, proxyToken, renewal: newest.renewal + 1 }), request.headers);
    return new Response(null, { status: 204, headers: headersWith(lines) });
  }

  async #signOut({ headers }: Request, session: OidcSession): Promise<Response> {
    const { clock, externalUrl, mainApplication, over, pathPrefix } = this.#options;
    const page = `${pathPrefix}/sign-in?signed_out=`;
    const idToken = mainApplication.signIn === "oidc" ? this.#live.newest(session).token : undefined;
    over(session);
    const [url] = await Promise.all([
      this.#client.endSessionUrl({ idToken, returnUrl: `${new URL(externalUrl).origin}${page}everywhere` }),
      settlesWithin(this.revoke(session), REVOKE_MS, clock),
    ]);
    const lines = this.#cookies.clear(parseCookies(headers.get("cookie")));
    return Response.json({ goTo: url?.href ?? `${page}here` }, { headers: headersWith(lines) });
  }

  async #backchannel(request: Request): Promise<Response> {
    const headers = { "cache-control": "no-store" };
    const token = new URLSearchParams(await request.text()).get("logout_token") ?? "";
    try {
      const logout = await this.#client.logout(token);
      if (logout === undefined || !this.#logouts.add(logout)) return Response.json({ error: "invalid_request" }, { status: 400, headers });
      this.#endLoggedOut();
      this.#options.tellPeers(await this.#logouts.seal(logout));
      return new Response(null, { status: 200, headers });
    } catch (error) {
      if (!(error instanceof OidcFailure)) throw error;
      return Response.json({ error: "temporarily_unavailable" }, { status: 503, headers });
    }
  }

  #endLoggedOut(): void {
    for (const session of this.#live.known()) {
      if (!this.#logouts.has(session)) continue;
      this.#live.forget(session.id);
      this.#options.overHere(session);
    }
  }
}
