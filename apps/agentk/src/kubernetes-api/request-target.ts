import { Fault } from "@binnacle/rpc";

import type { ValuesByName } from "./http-request.ts";

const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** Characters of a request target in a request line; a backslash and a fragment are read differently by different parsers. */
const RAW_TARGET = /^\/[!"$-[\]-~]*$/;

/**
 * Path and query to send to the API server, from the decoded path and query that came through the tunnel; keys are sorted, because a protobuf map has
 * no order. With a raw target it is that, byte for byte. The path can only ever name something on the API server itself (docs/security.md, T3).
 *
 * @param raw path and query as the client encoded them; empty: not known
 * @throws Fault `invalid_request` for a path that is not an ordinary absolute path, and for a raw target that decodes to another path or query: kas
 *   has judged the decoded ones
 */
export function requestTargetOf(urlPath: string, query: ValuesByName, raw = ""): string {
  if (!urlPath.startsWith("/")) throw refused("it must begin with a slash");
  if (urlPath.startsWith("//")) throw refused("it must not begin with two slashes");
  if (DOT_SEGMENT.test(urlPath)) throw refused("it holds a dot segment");
  if (!urlPath.isWellFormed()) throw refused("it is not valid Unicode");
  if (raw !== "") {
    if (!RAW_TARGET.test(raw) || !decodesTo(raw, urlPath, query)) throw refused("its encoded form names another path or query");
    return raw;
  }
  const path = encodeURI(urlPath).replaceAll("?", "%3F").replaceAll("#", "%23");
  const keys = Object.keys(query);
  if (keys.length === 0) return path;
  const parameters = new URLSearchParams();
  for (const key of keys.sort()) for (const value of query[key]?.value ?? []) parameters.append(key, value);
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}

function decodesTo(raw: string, urlPath: string, query: ValuesByName): boolean {
  const cut = raw.indexOf("?");
  try {
    if (decodeURIComponent(cut < 0 ? raw : raw.slice(0, cut)) !== urlPath) return false;
  } catch {
    return false;
  }
  const sent = new URLSearchParams(cut < 0 ? "" : raw.slice(cut + 1));
  let count = 0;
  for (const key of Object.keys(query)) {
    const values = query[key]?.value ?? [];
    const found = sent.getAll(key);
    count += values.length;
    if (found.length !== values.length || found.some((value, index) => value !== values[index])) return false;
  }
  return count === sent.size;
}

function refused(why: string): Fault {
  return new Fault("invalid_request", `the path of the request was refused: ${why}`);
}
