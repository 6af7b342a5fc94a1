import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";

/**
 * Why the provider gave nothing: the viewer or the provider declined; an answer is not what was begun, or not for us; the provider does not
 * answer; a refresh token was used before, or has ended.
 */
export type OidcFailureKind = "denied" | "refused" | "unavailable" | "stale";

/** An expected failure with the provider. Its message holds nothing that the provider or the browser has sent but error codes. */
export class OidcFailure extends Error {
  readonly kind: OidcFailureKind;

  constructor(kind: OidcFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OidcFailure";
    this.kind = kind;
  }
}

/** Codes of `ClientError` that are about the way to the provider, not about its answer. */
const UNREACHABLE = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"]);

/** What the library threw, as a failure; the cause is left out, because it may hold tokens. */
export function failureOf(error: unknown): OidcFailure {
  if (error instanceof OidcFailure) return error;
  if (error instanceof AuthorizationResponseError) return new OidcFailure("denied", `the provider answers ${code(error.error)}`);
  if (error instanceof ResponseBodyError) {
    const kind = error.error === "invalid_grant" ? "stale" : error.status >= 500 || error.status === 429 ? "unavailable" : "refused";
    return new OidcFailure(kind, `the provider answers ${code(error.error)}`);
  }
  if (error instanceof ClientError) {
    const { code: reason = "" } = error;
    return new OidcFailure(UNREACHABLE.has(reason) || reason === "" ? "unavailable" : "refused", `${error.message} (${reason})`);
  }
  // undici's failed fetch is a TypeError with the system's reason as its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  return new OidcFailure("unavailable", `the provider cannot be reached${cause === "" ? "" : `: ${cause}`}`);
}

/** Of RFC 6749 §5.2; a provider may write anything there. */
function code(text: string): string {
  return /^[\w.-]{1,40}$/.test(text) ? text : "an unknown error";
}
