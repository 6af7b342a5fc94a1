import { createStatus, isPathSegmentName } from "@binnacle/kube";

import { KubeClientError } from "../base/kube-client.ts";
import type { KubeRequest } from "./kube-transport.ts";

/** `pchar` of RFC 3986 without the semicolon, as for names in `@binnacle/kube`. */
const PATHNAME = /^(\/(?:[A-Za-z0-9._:@~!$&'()*+,=-]|%[0-9A-F]{2})+)+$/;
/** Not empty: a question mark alone does not arrive everywhere. */
const QUERY = /^[A-Za-z0-9._:@~!$&'()*+,=/?;%-]+$/;
const TOKEN = "[A-Za-z0-9!#$&^_.+-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(; ?${TOKEN}=${TOKEN})*$`);
/** Visible US-ASCII and spaces between. */
const FIELD_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
const DEFAULT_CONTENT_TYPE = "application/json";

/**
 * Refuses what could be read as something else on its way: a path that leads elsewhere (threat T25), a value that ends its header.
 *
 * @throws KubeClientError `api` with 400, not started, as the API server would say it
 */
export function checkRequest({ method, path, accept, ifNoneMatch, body, contentType }: KubeRequest): void {
  const cut = path.indexOf("?");
  const pathname = cut < 0 ? path : path.slice(0, cut);
  if (!PATHNAME.test(pathname) || !pathname.slice(1).split("/").every(isSafeSegment))
    throw refusal("the path is no path of the Kubernetes API");
  if (cut >= 0 && !QUERY.test(path.slice(cut + 1))) throw refusal("the query is not encoded");
  if (!FIELD_VALUE.test(accept)) throw refusal("the accepted type is none");
  if (ifNoneMatch !== undefined && !FIELD_VALUE.test(ifNoneMatch)) throw refusal("the tag is none");
  if (contentType !== undefined && !MEDIA_TYPE.test(contentType)) throw refusal("the content type is none");
  if (body !== undefined && (method === "GET" || method === "HEAD")) throw refusal(`${method} has no body`);
}

/** What a request says of itself, for any way of sending it. Names in lower case. */
export function requestHeaders(request: KubeRequest): Record<string, string> {
  const { accept, ifNoneMatch, body, contentType = DEFAULT_CONTENT_TYPE } = request;
  return {
    accept,
    ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
    ...(body === undefined ? {} : { "content-type": contentType }),
  };
}

/** Whether a segment is still the same one after a proxy has decoded it and encoded it again. */
function isSafeSegment(segment: string): boolean {
  try {
    return isPathSegmentName(decodeURIComponent(segment));
  } catch {
    return false;
  }
}

function refusal(message: string): KubeClientError {
  return new KubeClientError("api", message, { status: createStatus(400, message), stage: "not_started" });
}
