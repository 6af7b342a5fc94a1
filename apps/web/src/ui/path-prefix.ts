/**
 * What the addresses of all our pages, calls and files begin with: "" or "/one/two". The build has a placeholder here that the server
 * replaces when it starts, so that nothing may be computed from it but texts put together: a bundler would do the sum with the placeholder.
 */
const PREFIX = process.env.BINNACLE_PATH_PREFIX ?? "";

/**
 * The address of a route of ours ("/sign-in", "/api/session"), for `fetch`, `location` and plain links. Next's `Link` and router put the
 * prefix on by themselves.
 */
export function withPrefix(route: string): string {
  return `${PREFIX}${route}`;
}

/** The route behind an address of this page, as Next's `usePathname` says it. */
export function withoutPrefix(address: string): string {
  return address.startsWith(`${PREFIX}/`) ? address.replace(PREFIX, "") : "/";
}
