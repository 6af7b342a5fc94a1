import { Fault } from "@binnacle/rpc";

import type { ValuesByName } from "./http-request.ts";

const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * Path and query to send to the API server, from the decoded path and query that came through the tunnel; keys are sorted, because a protobuf map has
 * no order. The path can only ever name something on the API server itself (docs/security.md, T3).
 *
 * @throws Fault `invalid_request` for a path that is not an ordinary absolute path
 */
export function requestTargetOf(urlPath: string, query: ValuesByName): string {
  if (!urlPath.startsWith("/")) throw refused("it must begin with a slash");
  if (urlPath.startsWith("//")) throw refused("it must not begin with two slashes");
  if (DOT_SEGMENT.test(urlPath)) throw refused("it holds a dot segment");
  if (!urlPath.isWellFormed()) throw refused("it is not valid Unicode");
  const path = encodeURI(urlPath).replaceAll("?", "%3F").replaceAll("#", "%23");
  const keys = Object.keys(query);
  if (keys.length === 0) return path;
  const parameters = new URLSearchParams();
  for (const key of keys.sort()) for (const value of query[key]?.value ?? []) parameters.append(key, value);
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}

function refused(why: string): Fault {
  return new Fault("invalid_request", `the path of the request was refused: ${why}`);
}
