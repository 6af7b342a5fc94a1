/** What the path of an `external_url` may be made of: segments that mean the same in a URL, a cookie, a file and a script. */
const PREFIX = /^(?:\/[\w~-][\w.~-]*)*$/;

/** What the addresses of the dashboard begin with: the path of its `external_url` without a slash at the end; "" at the root of a host. */
export function pathPrefixOf(externalUrl: string): string {
  return new URL(externalUrl).pathname.replace(/\/$/, "");
}

/** Whether a URL can be the dashboard's: plain segments, no query, no fragment, no user name. */
export function hasPlainPrefix(externalUrl: string): boolean {
  const { search, hash, username, password } = new URL(externalUrl);
  return PREFIX.test(pathPrefixOf(externalUrl)) && `${search}${hash}${username}${password}` === "";
}

/** The route that a request's target names below the prefix; `undefined` when it lies outside. */
export function routeBelow(prefix: string, target: string): string | undefined {
  if (prefix === "") return target;
  if (!target.startsWith(prefix)) return undefined;
  const rest = target.slice(prefix.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : undefined;
}
