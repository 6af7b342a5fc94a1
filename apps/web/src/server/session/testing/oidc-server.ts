import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK, type JWTPayload } from "jose";
import { Provider, type ClientMetadata, type Configuration } from "oidc-provider";

/** The dashboard as the provider knows it. */
export const CLIENT_ID = "binnacle";
export const CLIENT_SECRET = "a-secret-of-the-client";

/** How the provider of one test behaves. */
export interface OidcServerOptions {
  /** Where browsers are sent back to, and after a sign-out. */
  readonly callback: string;
  readonly signedOut: string;
  /** Where a logout token is sent. */
  readonly backchannel?: string;
  /** Of access tokens and ID tokens. */
  readonly tokenSeconds?: number;
  /** Groups that the ID token names. */
  readonly groups?: readonly string[];
  /** Hears of each access token. */
  readonly issued?: (token: string, account: string) => void;
}

/** An answer of the token endpoint, before it is sent. */
interface TokenAnswer {
  access_token?: string;
  refresh_token?: string;
  id_token?: string;
}

/** npm `oidc-provider` on a free port, where everybody is signed in as `account` at once. Refresh tokens are used once. */
export class OidcServer {
  readonly issuer: string;
  /** Who signs in. */
  account = "ann";
  /** Whether it offers an `end_session_endpoint`: GitLab does not. */
  endsSessions = true;
  /** Whether the viewer declines. */
  declines = false;
  /** Changes what the token endpoint answers; `sign` makes a token with the provider's own key. */
  tamper: ((answer: TokenAnswer, sign: OidcServer["sign"]) => Promise<void>) | undefined;
  /** Grant types of requests to the token endpoint, in order. */
  readonly grants: string[] = [];
  /** Tokens that were revoked one by one. */
  revocations = 0;
  readonly #server: Server;
  readonly #options: OidcServerOptions;
  readonly #port: number;
  #provider!: Provider;
  #key!: JWK;
  #handler!: ReturnType<Provider["callback"]>;

  private constructor(server: Server, options: OidcServerOptions) {
    this.#server = server;
    this.#options = options;
    // A TCP server that listens has an AddressInfo.
    this.#port = (server.address() as AddressInfo).port;
    this.issuer = `http://127.0.0.1:${this.#port}`;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(options: OidcServerOptions): Promise<OidcServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const started = new OidcServer(server, options);
    await started.useKey("first");
    return started;
  }

  /** From now on it signs with a new key, and shows only that: what was begun before is forgotten. */
  async useKey(kid: string): Promise<void> {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    this.#key = { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
    this.#provider = new Provider(this.issuer, this.#configuration());
    this.#provider.on("access_token.saved", ({ jti, accountId }) => this.#options.issued?.(jti, accountId));
    this.#provider.use(async (context, next) => {
      await next();
      const { body } = context;
      if (context.path === "/.well-known/openid-configuration" && !this.endsSessions)
        Reflect.deleteProperty(Object(body), "end_session_endpoint");
      if (context.path === "/token/revocation" && context.status === 200) this.revocations += 1;
      if (context.path !== "/token") return;
      const params: unknown = Reflect.get(Object(context["oidc"]), "params");
      this.grants.push(String(Reflect.get(Object(params), "grant_type")));
      if (this.tamper !== undefined && typeof body === "object" && body !== null)
        await this.tamper(body as TokenAnswer, (claims, header) => this.sign(claims, header));
    });
    this.#handler = this.#provider.callback();
  }

  /** A token with the provider's key. @param typ of its header */
  async sign(claims: JWTPayload, { typ, kid = this.#key.kid }: { readonly typ?: string; readonly kid?: string } = {}): Promise<string> {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const header = { alg: "RS256", ...(typ === undefined ? {} : { typ }), ...(kid === undefined ? {} : { kid }) };
    return new SignJWT({ iss: this.issuer, aud: CLIENT_ID, iat: nowSeconds, ...claims })
      .setProtectedHeader(header)
      .sign(await importJWK(this.#key, "RS256"));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith("/interaction/") !== true) return this.#handler(request, response);
    const { prompt, params, session } = await this.#provider.interactionDetails(request, response);
    if (this.declines) {
      const refusal = { error: "access_denied", error_description: "the viewer declined" };
      return this.#provider.interactionFinished(request, response, refusal, { mergeWithLastSubmission: false });
    }
    const accountId = session?.accountId ?? this.account;
    if (prompt.name === "login") return this.#provider.interactionFinished(request, response, { login: { accountId } });
    const grant = new this.#provider.Grant({ accountId, clientId: CLIENT_ID });
    grant.addOIDCScope(String(params["scope"]));
    return this.#provider.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: true },
    );
  }

  #configuration(): Configuration {
    const { backchannel, callback, groups, signedOut, tokenSeconds = 3_600 } = this.#options;
    const client: ClientMetadata = {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [callback],
      post_logout_redirect_uris: [signedOut],
      grant_types: ["authorization_code", "refresh_token"],
      ...(backchannel === undefined ? {} : { backchannel_logout_uri: backchannel, backchannel_logout_session_required: true }),
    };
    return {
      clients: [client],
      jwks: { keys: [this.#key] },
      cookies: { keys: ["a key of the test"] },
      scopes: ["openid", "offline_access", "api", "read_api"],
      claims: { openid: ["sub", "groups"] },
      conformIdTokenClaims: false,
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, ...(groups === undefined ? {} : { groups: [...groups] }) }),
      }),
      features: {
        devInteractions: { enabled: false },
        revocation: { enabled: true, allowedPolicy: () => true },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            context.body = `<!doctype html>${form.replace("</form>", '<input type="hidden" name="logout" value="yes"/></form>')}`;
          },
        },
      },
      // It dials no addresses of this machine by itself.
      fetch: (url, { method, headers, body, signal, redirect } = {}) =>
        fetch(url, {
          ...(method && { method }),
          ...(headers && { headers }),
          ...(body && { body }),
          ...(signal && { signal }),
          ...(redirect && { redirect }),
        }),
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      pkce: { required: () => true },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      ttl: { AccessToken: tokenSeconds, IdToken: tokenSeconds, Grant: 86_400, Session: 86_400, RefreshToken: 86_400, Interaction: 600 },
    };
  }
}
