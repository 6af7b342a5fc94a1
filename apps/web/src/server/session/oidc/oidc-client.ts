import type { Clock } from "@binnacle/rpc";
import { outgoingDispatcher } from "@binnacle/rpc/outgoing-dispatcher";
import { Secret } from "@binnacle/telemetry";
import { createRemoteJWKSet, customFetch as joseFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import * as oidc from "openid-client";
import { fetch as undiciFetch, type Dispatcher } from "undici";

import type { OidcConfig } from "../../config/sign-in.ts";
import { OidcFailure, failureOf } from "./oidc-failure.ts";

/** What a provider's answer may take. */
const TIMEOUT_SECONDS = 10;
/** What the provider says of itself is read again after this. */
const METADATA_MS = 60 * 60_000;
/** And, when that failed, after this. */
const RETRY_MS = 60_000;
/** A provider that says nothing about the life of an access token: GitLab's is two hours, others' an hour. */
const DEFAULT_LIFE_SECONDS = 60 * 60;
/** Clocks of the provider and of this machine may differ by so much. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** A logout token is for now (OpenID Connect Back-Channel Logout 1.0 recommends two minutes at most). */
const MAX_LOGOUT_AGE_SECONDS = 5 * 60;
/** Signatures that anybody with the public key can check; never "none", never one made with the client's secret. */
const SIGNATURES = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** What a sign-in remembers between its begin and its end. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the provider gave for a viewer. */
export interface ProviderTokens {
  readonly accessToken: Secret;
  /** `undefined` when the provider gives none: the session ends with the other tokens. */
  readonly refreshToken: Secret | undefined;
  /** `undefined` when a renewal brought none. */
  readonly idToken: Secret | undefined;
  readonly claims: JWTPayload | undefined;
  /** Ends of the access token and of the ID token, in milliseconds of our clock. */
  readonly accessEndsAtMs: number;
  readonly idEndsAtMs: number | undefined;
}

/** A logout token that was verified. */
export interface ProviderLogout {
  readonly id: string;
  /** The provider's session that has ended, or the subject all of whose sessions have; one of them at least. */
  readonly session: string | undefined;
  readonly subject: string | undefined;
  readonly issuedAtMs: number;
}

/** What the client works with. */
export interface OidcClientOptions {
  readonly config: OidcConfig;
  /** Where the provider sends browsers back to, registered there word for word. */
  readonly redirectUri: string;
  readonly caCertificate: string | undefined;
  readonly clock: Clock;
}

/** The dashboard as a client of one OpenID Connect provider. Nothing is dialled before the first sign-in. */
export class OidcClient {
  readonly #options: OidcClientOptions;
  #dispatcher: Dispatcher;
  #known: { readonly readAtMs: number; readonly provider: Promise<Provider> } | undefined;

  constructor(options: OidcClientOptions) {
    this.#options = options;
    this.#dispatcher = this.#dispatcherWith(options.caCertificate);
  }

  /** Address of the provider's sign-in, with PKCE, and what its end is compared with. @throws OidcFailure */
  async begin(): Promise<{ readonly url: URL; readonly secrets: SignInSecrets }> {
    const { config, redirectUri } = this.#options;
    const { configuration } = await this.#provider();
    const secrets = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: config.scopes.join(" "),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: "S256",
      // OpenID Connect Core 1.0 gives refresh tokens for this scope only with the consent of the viewer.
      ...(config.scopes.includes("offline_access") ? { prompt: "consent" } : {}),
    });
    return { url, secrets };
  }

  /** Exchanges the code of a callback. @param query what the provider has added to the address @throws OidcFailure */
  async finish(query: URLSearchParams, { state, nonce, verifier }: SignInSecrets): Promise<ProviderTokens> {
    const url = new URL(this.#options.redirectUri);
    url.search = query.toString();
    return this.#tokens((configuration) =>
      oidc.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }),
    );
  }

  /** @throws OidcFailure, "stale" for a refresh token that was used before or has ended */
  async refresh(refreshToken: Secret): Promise<ProviderTokens> {
    return this.#tokens((configuration) => oidc.refreshTokenGrant(configuration, refreshToken.reveal()));
  }

  /** The provider is to accept these no longer; whether it does so or not, this settles. */
  async revoke(tokens: readonly Secret[]): Promise<void> {
    const provider = await this.#provider().catch(() => undefined);
    if (provider?.configuration.serverMetadata().revocation_endpoint === undefined) return;
    await Promise.allSettled(tokens.map((token) => oidc.tokenRevocation(provider.configuration, token.reveal())));
  }

  /** Where the browser ends the provider's own session, if it offers that (OpenID Connect RP-Initiated Logout 1.0). */
  async endSessionUrl({
    idToken,
    returnUrl,
  }: {
    readonly idToken: Secret | undefined;
    readonly returnUrl: string;
  }): Promise<URL | undefined> {
    const provider = await this.#provider().catch(() => undefined);
    if (provider?.configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    const hint = idToken === undefined ? undefined : { id_token_hint: idToken.reveal() };
    return oidc.buildEndSessionUrl(provider.configuration, { post_logout_redirect_uri: returnUrl, ...hint });
  }

  /**
   * Verifies a logout token of OpenID Connect Back-Channel Logout 1.0.
   *
   * @returns `undefined` for one that is not the provider's, not for us, old, or no logout token
   * @throws OidcFailure "unavailable" when the provider's keys cannot be read
   */
  async logout(token: string): Promise<ProviderLogout | undefined> {
    const { keys } = await this.#provider();
    const payload = await this.#verify(token, keys, { maxTokenAge: MAX_LOGOUT_AGE_SECONDS, requiredClaims: ["iat", "jti", "events"] });
    if (payload === undefined || "nonce" in payload || !isLogoutEvent(payload["events"])) return undefined;
    const { jti = "", iat = 0, sub, sid } = payload;
    const session = typeof sid === "string" ? sid : undefined;
    if (jti === "" || (session === undefined && sub === undefined)) return undefined;
    return { id: jti, session, subject: sub, issuedAtMs: iat * 1_000 };
  }

  /** From now on new connections believe this authority. @param caCertificate PEM text */
  trust(caCertificate: string): void {
    const former = this.#dispatcher;
    this.#dispatcher = this.#dispatcherWith(caCertificate);
    void former.close();
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #tokens(ask: (configuration: oidc.Configuration) => Promise<Granted>): Promise<ProviderTokens> {
    const { clock } = this.#options;
    const { configuration, keys } = await this.#provider();
    try {
      const granted = await ask(configuration);
      const { access_token, refresh_token, id_token, expires_in = DEFAULT_LIFE_SECONDS } = granted;
      // Over TLS the channel vouches for the token; its signature proves it besides, also behind a proxy that opens TLS.
      if (id_token !== undefined && (await this.#verify(id_token, keys)) === undefined)
        throw new OidcFailure("refused", "the ID token is not signed by the provider");
      const claims = granted.claims();
      return {
        accessToken: new Secret(access_token),
        refreshToken: refresh_token === undefined ? undefined : new Secret(refresh_token),
        idToken: id_token === undefined ? undefined : new Secret(id_token),
        claims,
        accessEndsAtMs: clock.now() + expires_in * 1_000,
        idEndsAtMs: claims && clock.now() + claims.exp * 1_000 - Date.now(),
      };
    } catch (error) {
      throw failureOf(error);
    }
  }

  async #verify(
    token: string,
    keys: JWTVerifyGetKey,
    more: { readonly maxTokenAge?: number; readonly requiredClaims?: string[] } = {},
  ): Promise<JWTPayload | undefined> {
    const { issuer, client_id: audience } = this.#options.config;
    const rules = { issuer, audience, algorithms: SIGNATURES, clockTolerance: CLOCK_TOLERANCE_SECONDS, ...more };
    try {
      return (await jwtVerify(token, keys, rules)).payload;
    } catch (error) {
      // They say that the keys could not be read, and nothing of the token.
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === "ERR_JOSE_GENERIC")
        throw new OidcFailure("unavailable", "the provider's keys cannot be read", { cause: error });
      return undefined;
    }
  }

  /** The provider as it describes itself, once an hour; what was read before stays good while it does not answer. */
  async #provider(): Promise<Provider> {
    const { clock } = this.#options;
    const before = this.#known;
    if (before !== undefined && clock.now() - before.readAtMs < METADATA_MS) return before.provider;
    const provider = this.#discover().catch(async (error: unknown) => {
      this.#known = before && { readAtMs: clock.now() - METADATA_MS + RETRY_MS, provider: before.provider };
      if (before === undefined) throw failureOf(error);
      return before.provider;
    });
    this.#known = { readAtMs: clock.now(), provider };
    return provider;
  }

  async #discover(): Promise<Provider> {
    const { issuer, client_id, client_secret_file: secret } = this.#options.config;
    const fetcher = (url: string, init: object): Promise<Response> => this.#fetch(url, init);
    const configuration = await oidc.discovery(
      new URL(issuer),
      client_id,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret.content.reveal()),
      {
        timeout: TIMEOUT_SECONDS,
        [oidc.customFetch]: fetcher,
        // The configuration lets http issuers only be on this machine.
        ...(issuer.startsWith("http:") ? { execute: [oidc.allowInsecureRequests] } : {}),
      },
    );
    const { jwks_uri } = configuration.serverMetadata();
    if (jwks_uri === undefined) throw new OidcFailure("unavailable", "the provider names no keys");
    const timeoutDuration = TIMEOUT_SECONDS * 1_000;
    const keys = createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration, [joseFetch]: fetcher });
    return { configuration, keys };
  }

  async #fetch(url: string, init: object): Promise<Response> {
    // Both are the web platform's; only their declarations differ.
    return (await undiciFetch(url, { ...init, dispatcher: this.#dispatcher })) as unknown as Response;
  }

  #dispatcherWith(ca: string | undefined): Dispatcher {
    const { proxy } = this.#options.config;
    return outgoingDispatcher({ proxy, connectTimeoutMs: 5_000, tls: { ca }, agent: { keepAliveTimeout: 10_000 } });
  }
}

interface Provider {
  readonly configuration: oidc.Configuration;
  readonly keys: JWTVerifyGetKey;
}

type Granted = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

function isLogoutEvent(events: unknown): boolean {
  const event: unknown = typeof events === "object" && events !== null ? Reflect.get(events, LOGOUT_EVENT) : undefined;
  return typeof event === "object" && event !== null;
}
