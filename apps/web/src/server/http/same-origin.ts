/**
 * Whether a request to our API comes from our own pages. Browsers send `Origin` with every POST and DELETE; a request
 * without one comes from a program that has to bring the cookie itself.
 */
export function isSameOrigin(headers: Headers, externalUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("origin");
  return origin === null || origin === new URL(externalUrl).origin;
}
