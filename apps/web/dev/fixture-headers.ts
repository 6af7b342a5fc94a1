import { createSecurityHeaders, type SecurityHeaders } from "../src/server/http/security-headers.ts";

/**
 * The headers of production, so that what its policy forbids fails while it is written. Fast refresh needs three things more, which exist
 * only here: React's development build makes functions from text (`'unsafe-eval'`), Next's overlay brings styles without a nonce,
 * and a WebSocket announces new code.
 */
export function createFixtureHeaders({ fastRefresh }: { readonly fastRefresh: boolean }): () => SecurityHeaders {
  const production = createSecurityHeaders({ frameAncestors: [], https: false });
  if (!fastRefresh) return production;
  return () => {
    const headers = production();
    const policy = headers["content-security-policy"]
      .replace("script-src 'self'", "script-src 'self' 'unsafe-eval'")
      .replace(/style-src 'self' 'nonce-[^']+'/, "style-src 'self' 'unsafe-inline'");
    return { ...headers, "content-security-policy": `${policy}; connect-src 'self' ws:` };
  };
}
