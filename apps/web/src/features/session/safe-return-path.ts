/** Stands for our own origin while a path is resolved; nothing answers under this name (RFC 6761, "invalid"). */
const OWN = "http://own.invalid";

/**
 * A path of our own to go back to, whatever was requested: an address of another host would make the sign-in a springboard.
 * It is resolved as a browser would, and what comes out is looked at, not what went in: `/..//host`, `/<TAB>/host` and
 * `/\host` all become another host's address on the way (WHATWG URL Standard, "basic URL parser").
 *
 * @returns path, query and fragment, beginning with exactly one slash; "/" for everything that does not stay with us
 */
export function safeReturnPath(requested: string | null): string {
  if (requested === null || !requested.startsWith("/") || !URL.canParse(requested, OWN)) return "/";
  const url = new URL(requested, OWN);
  if (url.origin !== OWN || url.pathname.startsWith("//")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
