import { randomBytes } from "node:crypto";

/** What the headers depend on. */
export interface SecurityHeadersOptions {
  /** Origins whose pages may frame ours. */
  readonly frameAncestors: readonly string[];
  /** Browsers reach us by https only. */
  readonly https: boolean;
}

/** Header names, lower case, and their values. */
export type SecurityHeaders = Readonly<Record<"content-security-policy" | (string & {}), string>>;

/** Two years, as browsers' preload lists ask for. */
const HSTS_SECONDS = 63_072_000;

/**
 * Makes the headers of one answer; every answer has a nonce of its own, and only scripts and styles that bear it run inline.
 * Next takes the nonce from the request's `content-security-policy` (its guide "Content Security Policy") and writes it on all it
 * renders, for which every page has to be dynamic.
 *
 * There are two exceptions. `style-src-attr 'unsafe-inline'`: cards, rows and bars are placed by style attributes, and an attribute
 * styles only its own element. `img-src blob:`: a drawing that leaves the page as PNG is an image first, which nothing but a script of ours
 * can have made, and in which none runs.
 */
export function createSecurityHeaders({ frameAncestors, https }: SecurityHeadersOptions): () => SecurityHeaders {
  const ancestors = frameAncestors.length === 0 ? "'none'" : frameAncestors.join(" ");
  const rest = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(https ? { "strict-transport-security": `max-age=${HSTS_SECONDS}` } : {}),
  };
  return () => {
    const nonce = randomBytes(18).toString("base64");
    const policy = [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${ancestors}`,
    ].join("; ");
    return { "content-security-policy": policy, ...rest };
  };
}
