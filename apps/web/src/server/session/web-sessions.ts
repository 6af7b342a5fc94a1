import type { Clock } from "@binnacle/rpc";
import { Secret, type Logger } from "@binnacle/telemetry";

import type { WebConfig } from "../config/config.ts";
import { clientAddressOf } from "../base/client-address.ts";
import type { ConfigFile } from "../config/config-files.ts";
import { warnIfOpen } from "../config/file-permissions.ts";
import { followFiles } from "../config/follow-files.ts";
import { parseSessionKeys, randomSessionKeys, SessionKeyRing, type SessionKeys } from "../config/session-keys.ts";
import type { AccessOptions, MainApplication, ViewerAccess } from "../main-application/main-application.ts";
import { sessionNameOf, type CredentialNames } from "../main-application/credential-names.ts";
import { MAIN_SESSION_COOKIE, parseCookies, type Credential } from "../main-application/credential.ts";
import { EndNotice, type EndedSession } from "./end-notice.ts";
import { EndedSessions } from "./ended-sessions.ts";
import type { OidcSession } from "./oidc/oidc-seal.ts";
import { OidcSessions } from "./oidc/oidc-sessions.ts";
import { PasswordSignIn, type PasswordSignInOptions } from "./password-sign-in.ts";
import { PeerNotices } from "./peer-notices.ts";
import { SealedClaims, type SealPurpose } from "./sealed-claims.ts";
import { SessionCookies } from "./session-cookies.ts";
import { SessionSeal, type TokenSession } from "./session-seal.ts";
import { CookieSessions, SessionStreams, type SessionTie } from "./session-streams.ts";
import type { PageRenewal } from "../http/web-server.ts";
import { SignInLimit, type SignInBound } from "../http/sign-in-limit.ts";
import { BearerTokens, isBearerCall } from "./bearer-tokens.ts";
import { TokenSessions } from "./token-session.ts";

/** The end of a session of the main application is remembered for this time: later uses of its cookie are rejected there. */
const NOTICE_MS = 60_000;
const MAX_WAITING_ENDS = 256;
/** They take no room from the ends of sessions. */
const MAX_WAITING_ACTS = 64;

/** What sessions are made of. */
export interface WebSessionsOptions {
  readonly config: Pick<WebConfig, "session" | "sign_in" | "external_url" | "ca_certificate_file">;
  /** What the addresses of the dashboard begin with, "" or "/one/two": its cookies are sent there, and nowhere else. */
  readonly pathPrefix: string;
  readonly mainApplication: MainApplication;
  /** Checks a password; absent: there is no such sign-in. */
  readonly signInWithPassword?: PasswordSignInOptions["signIn"] | undefined;
  /** Names of credentials in this process. */
  readonly names: CredentialNames;
  readonly clock: Clock;
  readonly log: Logger;
  readonly refused: (reason: SignInBound) => void;
  /** A request had a cookie of ours that is no session. */
  readonly unusable: () => void;
  /** A session of ours is over: nothing may be done with its credential from now on. */
  readonly over: (sessionId: string) => void;
}

/** A session of ours, by a token that was pasted or by the provider of sign-ins. */
type OwnSession = TokenSession | OidcSession;

/** What a request proves itself with. */
interface FoundCredential {
  readonly credential: Credential | undefined;
  /** That it came by, when it is one of ours. */
  readonly session: OwnSession | undefined;
}

/** Whose call it is. */
export interface CallSession {
  readonly viewerAccess: ViewerAccess;
  /** The session that ends here; `undefined` when it is the main application's. */
  readonly tokenSession: OwnSession | undefined;
  /** A socket, or a stream of logs, begins under the session, of either way: the signal aborts as soon as its end is known. */
  readonly tie: () => SessionTie;
}

const KEY = "session.secret_file";

/** Session keys as the configuration has them, followed while the file changes. */
interface OpenSessionKeys {
  readonly ring: SessionKeyRing;
  close(): void;
}

/** Who a request comes from, in either way of docs/design/contract.md "Identity of a viewer", and when that is over. */
export class WebSessions {
  readonly #options: WebSessionsOptions;
  readonly #keys: OpenSessionKeys;
  readonly #notice: EndNotice;
  readonly #ended: EndedSessions;
  readonly #peers: PeerNotices;
  readonly #peersOfActs: PeerNotices;
  readonly #cookies: CookieSessions;
  readonly #bearers: BearerTokens;
  /** Calls that run under sessions of ours. */
  readonly streams: SessionStreams;
  readonly #seal: SessionSeal;
  readonly #sessionCookies: SessionCookies;
  /** Sign-in with a token, and sign-out. */
  readonly #tokens: TokenSessions;
  /** Sign-in with a password; `undefined`: there is none. */
  readonly #passwords: PasswordSignIn | undefined;
  /** Sign-in by a provider; `undefined` without `sign_in.oidc`. */
  readonly oidc: OidcSessions | undefined;

  constructor(options: WebSessionsOptions) {
    const { config, clock, log, mainApplication, names, over, pathPrefix, refused } = options;
    this.#options = options;
    this.#keys = openSessionKeys(config.session.secret_file, { clock, log });
    this.#notice = new EndNotice(this.#keys.ring, clock);
    this.#ended = new EndedSessions(clock);
    const peerOptions = { peers: config.session.peers, caCertificate: config.ca_certificate_file?.content, clock, log };
    this.#peers = new PeerNotices({ ...peerOptions, what: "a sign-out or a used ticket", mostWaiting: MAX_WAITING_ENDS });
    this.#peersOfActs = new PeerNotices({ ...peerOptions, what: "an action of a viewer", mostWaiting: MAX_WAITING_ACTS });
    this.#cookies = new CookieSessions((id) => {
      void this.#notice.seal({ id, expiresAtMs: clock.now() + NOTICE_MS }).then((sealed) => this.#peers.tell(sealed)); // sealing does not fail
    });
    const seal = new SessionSeal(this.#keys.ring, clock);
    this.streams = new SessionStreams({ clock, isGood: (session) => seal.isGood(session) && !this.#ended.has(session.id), over });
    this.#seal = seal;
    const cookieOptions = { secure: config.external_url.startsWith("https:"), path: pathPrefix === "" ? "/" : pathPrefix };
    this.#sessionCookies = new SessionCookies(cookieOptions);
    const limit = new SignInLimit({ clock, refused });
    this.#bearers = new BearerTokens({
      names,
      limit,
      accessOf: (token, clientAddress) => mainApplication.open({ credential: { way: "token", token }, clientAddress }),
      now: () => clock.now(),
    });
    const shared = { names, pathPrefix, limit, clock, log };
    this.#tokens = new TokenSessions({
      ...shared,
      seal,
      cookies: this.#sessionCookies,
      accessOf: (credential, clientAddress) => mainApplication.open({ credential, clientAddress }),
      end: (cookieHeader) => this.#endPresent(cookieHeader),
    });
    const { signInWithPassword: signIn } = options;
    this.#passwords = signIn && new PasswordSignIn({ ...shared, sessions: this.#tokens, signIn });
    const { oidc } = config.sign_in;
    this.oidc =
      oidc &&
      new OidcSessions({
        ...shared,
        config: oidc,
        externalUrl: config.external_url,
        caCertificate: peerOptions.caCertificate,
        keys: this.#keys.ring,
        cookieOptions,
        mainApplication: options.mainApplication,
        accessOf: (of) => this.#accessOf(of),
        endPresent: (cookieHeader) => this.#endPresent(cookieHeader),
        over: (session) => this.#over(session),
        overHere: (session) => this.#end(session),
        tellPeers: (sealed) => this.#peers.tell(sealed),
      });
  }

  /** Answers a request below `/api/session` that comes from elsewhere: the provider sends browsers here. */
  async navigate(request: Request): Promise<Response | undefined> {
    return this.oidc?.navigate(request, await this.#oidcSession(request));
  }

  /** Signs in and out. */
  async handle(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === "/api/session/password")
      return this.#passwords?.handle(request) ?? new Response(null, { status: 404 });
    return (await this.oidc?.handle(request, await this.#oidcSession(request))) ?? this.#tokens.handle(request);
  }

  /** What a page receives about its session: how it came, which sign-in there is, and when to renew tokens. */
  async describe(cookieHeader: string | null): Promise<Record<string, unknown>> {
    const { credential, session } = await this.credentialOf(cookieHeader);
    const offered = this.#offered();
    if (session !== undefined && isOfProvider(session)) return { way: "provider", ...offered, ...this.oidc?.describe(session) };
    return { way: session?.way === "oidc" ? "password" : (credential?.way ?? null), ...offered };
  }

  /** Where a page's request goes first when the tokens of its session have ended, or else when the page renews them. */
  async renewal(cookieHeader: string | undefined, returnPath: string): Promise<PageRenewal | undefined> {
    const session = this.oidc && (await this.#find(cookieHeader));
    return session !== undefined && isOfProvider(session) ? this.oidc?.renewalOf(session, returnPath) : undefined;
  }

  /** A session of ours was begun on purpose: it wins over that of the main application. */
  async credentialOf(cookieHeader: string | null | undefined): Promise<FoundCredential> {
    const session = await this.#find(cookieHeader);
    if (session) return { credential: this.#credentialOf(session), session };
    const sessionCookie = parseCookies(cookieHeader).get(MAIN_SESSION_COOKIE) ?? "";
    return { credential: sessionCookie === "" ? undefined : { way: "cookie", sessionCookie: new Secret(sessionCookie) }, session };
  }

  /**
   * Names the session, of either kind, of a request for a page: the same in every process, without saying anything about its
   * credential; `undefined` without one. Whether the credential is still good is seen when it is used.
   */
  async nameOf(cookieHeader: string | undefined): Promise<string | undefined> {
    const { credential, session } = await this.credentialOf(cookieHeader);
    const own = session?.id ?? (credential?.way === "cookie" ? credential.sessionCookie.reveal() : undefined);
    return own === undefined ? undefined : sessionNameOf(own);
  }

  /**
   * Whose call it is; `undefined` without a session. A program's token counts alone, whatever cookies are beside it.
   *
   * @param identified called when the main application says whose credential it is
   * @throws Fault as `BearerTokens.find`
   */
  async callOf(headers: Headers, identified: (username: string) => void): Promise<CallSession | undefined> {
    const clientAddress = clientAddressOf(headers);
    const { credential, session } = isBearerCall(headers)
      ? { credential: { way: "token", token: await this.#bearers.find(headers, clientAddress) } as const, session: undefined }
      : await this.credentialOf(headers.get("cookie"));
    if (!credential) return undefined;
    const access = { credential, session: session?.id, clientAddress, identified };
    const tie = (): SessionTie => (session === undefined ? this.#cookies.tie(nameOfCredential(credential)) : this.streams.tie(session));
    return { viewerAccess: this.#accessOf(access), tokenSession: session, tie };
  }

  /** Texts for another purpose, under the session keys. */
  sealedClaims(purpose: SealPurpose): SealedClaims {
    return new SealedClaims(this.#keys.ring, this.#options.clock, purpose);
  }

  /** Tells the other processes. @param sealed by `sealedClaims` */
  tellPeers(sealed: string): void {
    this.#peers.tell(sealed);
  }

  /** Tells the other processes of an action. @param sealed by `sealedClaims` */
  tellPeersOfAct(sealed: string): void {
    this.#peersOfActs.tell(sealed);
  }

  /** Another process says that a session is over; a notice that no web process has sealed is ignored. */
  async hear(sealed: string): Promise<void> {
    const session = await this.#notice.open(sealed);
    if (session === undefined) return void (await this.oidc?.hear(sealed));
    this.#cookies.abort(session.id);
    this.#end(session);
  }

  /** The browser signs out: what runs under the main application's session ends, in all processes. The session itself is not ours to end. */
  signOutOfMain(cookieHeader: string | null): void {
    const sessionCookie = parseCookies(cookieHeader).get(MAIN_SESSION_COOKIE) ?? "";
    if (sessionCookie !== "") this.#cookies.end(sessionNameOf(sessionCookie));
  }

  /** From now on other processes are held against this authority. @param caCertificate PEM text */
  trust(caCertificate: string): void {
    this.#peers.trust(caCertificate);
    this.#peersOfActs.trust(caCertificate);
    this.oidc?.trust(caCertificate);
  }

  async close(): Promise<void> {
    this.#keys.close();
    this.#peers.close();
    this.#peersOfActs.close();
    await this.oidc?.close();
  }

  /**
   * The session behind a `Cookie` header. The answer does not reveal why a cookie is invalid: expired, changed, of another key, or signed
   * out. It is not removed: an answer to a request from before a new sign-in, which comes after it, would remove the new one.
   */
  async #find(cookieHeader: string | null | undefined): Promise<OwnSession | undefined> {
    const text = this.#sessionCookies.read(parseCookies(cookieHeader));
    if (text === undefined) return undefined;
    const session = (await this.#seal.open(text)) ?? (await this.oidc?.open(text));
    if (session !== undefined && !this.#ended.has(session.id)) return session;
    this.#options.unusable();
    return undefined;
  }

  #credentialOf(session: OwnSession): Credential | undefined {
    if (isOfProvider(session)) return this.oidc?.credentialOf(session);
    const { token, way } = session;
    return way === "oidc" ? { way, idToken: token } : { way, token };
  }

  /** What the sign-in page shows beside the main application's own sign-in, or in its place. */
  #offered(): Record<string, unknown> {
    if (this.#passwords !== undefined) return { signIn: "password" };
    const { config, mainApplication } = this.#options;
    const { oidc } = config.sign_in;
    // Where ID tokens are the credential, the main application has no tokens that could be pasted.
    return oidc === undefined ? {} : { signIn: { name: oidc.name, ...(mainApplication.signIn === "oidc" && { tokens: false }) } };
  }

  async #oidcSession({ headers }: Request): Promise<OidcSession | undefined> {
    const session = this.oidc && (await this.#find(headers.get("cookie")));
    return session !== undefined && isOfProvider(session) ? session : undefined;
  }

  async #endPresent(cookieHeader: string | null): Promise<void> {
    const session = await this.#find(cookieHeader);
    if (session === undefined) return;
    this.#over(session);
    if (isOfProvider(session)) void this.oidc?.revoke(session); // never rejects
  }

  /** A session of ours was ended on purpose: nothing may be done with its credential from now on, in no process. */
  #over(session: OwnSession): void {
    this.#end(session);
    void this.#notice.seal(session).then((sealed) => this.#peers.tell(sealed)); // sealing does not fail
  }

  #end(session: EndedSession): void {
    this.#ended.end(session);
    this.streams.end(session.id);
  }

  #accessOf(of: Omit<AccessOptions, "over">): ViewerAccess {
    const { mainApplication } = this.#options;
    const { credential, identified, session } = of;
    if (session !== undefined || (credential.way !== "cookie" && credential.way !== "token")) return mainApplication.open(of);
    const name = nameOfCredential(credential);
    return mainApplication.open({
      ...of,
      identified: (username) => {
        this.#cookies.seen(name);
        identified?.(username);
      },
      over: () => {
        if (credential.way === "token") this.#bearers.rejected(credential.token);
        this.#cookies.end(name);
      },
    });
  }
}

/** Names what the main application ends by itself: its session, or a token of a program. Others come by a session of ours. */
function nameOfCredential(credential: Credential): string {
  if (credential.way === "cookie") return sessionNameOf(credential.sessionCookie.reveal());
  return credential.way === "token" ? sessionNameOf(credential.token.reveal()) : "";
}

function isOfProvider(session: OwnSession): session is OidcSession {
  return "renewal" in session;
}

/** Opens the keys of the file; without one they are this process's own, which is logged once. */
export function openSessionKeys(
  file: ConfigFile<SessionKeys> | undefined,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): OpenSessionKeys {
  if (file === undefined) {
    log.warn({ key: KEY }, "there is no session key file: a restart signs everybody out, and another process knows none of our sessions");
    return { ring: new SessionKeyRing(randomSessionKeys()), close: () => undefined };
  }
  warnIfOpen(file.file, KEY, log);
  const ring = new SessionKeyRing(file.content);
  const use = ([text = ""]: readonly string[]): void => {
    ring.replace(parseSessionKeys(text));
    warnIfOpen(file.file, KEY, log);
  };
  return { ring, close: followFiles({ files: [file], key: KEY, use, clock, log }) };
}
