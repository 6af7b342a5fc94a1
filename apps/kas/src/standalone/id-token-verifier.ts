import { isPrincipalName } from "@binnacle/organization";
import { Fault, type Clock } from "@binnacle/rpc";
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { fetch, type Dispatcher } from "undici";
import { z } from "zod";

/** How ID tokens are verified. Keys as the flags `--oidc-*` of the Kubernetes API server. */
export interface IdTokenVerifierOptions {
  /** Value of `iss`, and where the provider's configuration is. */
  readonly issuerUrl: string;
  /** Value of `aud`. */
  readonly clientId: string;
  /** Claim with the user's name. */
  readonly usernameClaim: string;
  /** Claim with the names of the user's groups. */
  readonly groupsClaim: string;
  readonly clock: Clock;
  /** Connects to the provider. */
  readonly dispatcher: Dispatcher;
  /** Keys are loaded again for an unknown one only after this. Default: 30 s. */
  readonly keyCooldownMs?: number;
}

/** A user whom the provider of identities has authenticated. */
export interface VerifiedUser {
  readonly name: string;
  readonly groups: readonly string[];
  /** In milliseconds of the epoch. */
  readonly expiresAtMs: number;
}

/** Asymmetric ones only: a symmetric key would be the client secret, and `none` is no signature. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];
const CLOCK_TOLERANCE_S = 30;
const TIMEOUT_MS = 5_000;
/** After a failed discovery, none is made for so long. */
const DISCOVERY_RETRY_MS = 5_000;
const KEY_COOLDOWN_MS = 30_000;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** As many as a session may have; a provider that sends more would be cut off silently elsewhere. */
const MAX_GROUPS = 200;

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/**
 * Verifies ID tokens of one provider of identities (OpenID Connect Core 1.0, section 3.1.3.7): signature, issuer, audience, time and names. The
 * provider's keys are loaded when the first token comes, and again for a key that is not known, at most every 30 s.
 */
export class IdTokenVerifier {
  readonly #options: IdTokenVerifierOptions;
  #keys: Promise<JWTVerifyGetKey> | undefined;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: IdTokenVerifierOptions) {
    this.#options = options;
  }

  /**
   * @throws Fault `token_unknown` for a token that is not good, `invalid_request` for one with too many groups,
   *   `main_application_unavailable` when the provider cannot be reached
   */
  async verify(token: string): Promise<VerifiedUser> {
    const keys = await this.#providerKeys();
    const { issuerUrl, clientId, clock } = this.#options;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: issuerUrl,
        audience: clientId,
        algorithms: ALGORITHMS,
        currentDate: new Date(clock.now()),
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ["exp", "iat", "sub"],
      });
      // An access token of the same provider has a type of its own (RFC 9068).
      if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== "JWT") throw unknown("the token is no ID token");
      if (payload["azp"] !== undefined && payload["azp"] !== clientId) throw unknown("the token was issued to another client");
      return this.#userOf(payload);
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) throw unavailable(error);
      throw unknown("the ID token is not valid", error);
    }
  }

  #userOf(payload: JWTPayload): VerifiedUser {
    const { usernameClaim, groupsClaim } = this.#options;
    const name = payload[usernameClaim];
    if (typeof name !== "string" || !isPrincipalName(name)) throw unknown(`the claim ${usernameClaim} is no name of a user`);
    // As the Kubernetes API server does: an address that is not proven names nobody.
    if (usernameClaim === "email" && payload["email_verified"] === false) throw unknown("the address of the user is not verified");
    const claim = payload[groupsClaim] ?? [];
    const groups = typeof claim === "string" ? [claim] : claim;
    if (!Array.isArray(groups)) throw unknown(`the claim ${groupsClaim} is no list of names`);
    if (groups.length > MAX_GROUPS)
      throw new Fault(
        "invalid_request",
        `the ID token names ${groups.length} groups, at most ${MAX_GROUPS} are accepted: let the provider send fewer`,
      );
    const names = groups.filter((group): group is string => typeof group === "string" && isPrincipalName(group));
    if (names.length < groups.length) throw unknown(`the claim ${groupsClaim} has an entry that is no name of a group`);
    return { name, groups: names, expiresAtMs: (payload.exp ?? 0) * 1_000 };
  }

  #providerKeys(): Promise<JWTVerifyGetKey> {
    const { clock } = this.#options;
    if (this.#keys !== undefined) return this.#keys;
    if (clock.now() - this.#failedAtMs < DISCOVERY_RETRY_MS) return Promise.reject(unavailable());
    const keys = this.#discover();
    this.#keys = keys;
    keys.catch(() => {
      this.#failedAtMs = clock.now();
      this.#keys = undefined;
    });
    return keys;
  }

  async #discover(): Promise<JWTVerifyGetKey> {
    const { issuerUrl } = this.#options;
    try {
      const address = `${issuerUrl.replace(/\/$/, "")}/.well-known/openid-configuration`;
      const text = await this.#load(address);
      const { issuer, jwks_uri: keysUrl } = discoverySchema.parse(JSON.parse(text));
      // Otherwise one provider could stand in for another (RFC 9207).
      if (issuer !== issuerUrl) throw new Error(`${address} names the issuer ${issuer}`);
      return createRemoteJWKSet(new URL(keysUrl), {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: this.#options.keyCooldownMs ?? KEY_COOLDOWN_MS,
        [customFetch]: async (url) => new Response(await this.#load(url), { headers: { "content-type": "application/json" } }),
      });
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #load(url: string): Promise<string> {
    const response = await fetch(url, {
      dispatcher: this.#options.dispatcher,
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200 || response.body === null) throw new Error(`${url} answered with ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      if (bytes > MAX_DOCUMENT_BYTES) throw new Error(`${url} answered with more than ${MAX_DOCUMENT_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  }
}

function unknown(why: string, cause?: unknown): Fault {
  return new Fault("token_unknown", "unauthenticated", { cause: new Error(why, { cause }) });
}

function unavailable(cause?: unknown): Fault {
  return new Fault("main_application_unavailable", "the provider of identities is unavailable, so the user cannot be authenticated", {
    cause,
    retryAfterSeconds: DISCOVERY_RETRY_MS / 1_000,
  });
}
