import type { ServiceOptions } from "@binnacle/proto/agent-options";
import type { Values } from "@binnacle/proto/prototool";
import { Fault } from "@binnacle/rpc";

import { requestTargetOf } from "../kubernetes-api/request-target.ts";
import { ServiceRefusal } from "./service-refusal.ts";

/** How a service reads a backslash or a control character in a path is not known. */
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const NOT_IN_PATHS = /[\\\u0000-\u001f\u007f]/;
/** What another parser may take for a slash, a dot or the end of a segment once it decodes again. */
const ENCODED_AGAIN = /%(?:2e|2f|5c|00|25)/i;

/**
 * Path and query as they are sent to the service, when the entry allows them: the query as the client encoded it, the path encoded anew. It is
 * compared as the bytes that are sent, and nothing in it may be read differently by a service that decodes twice, merges slashes or cuts parameters
 * off (T3).
 *
 * @throws ServiceRefusal
 */
export function serviceTargetOf(
  entry: Pick<ServiceOptions, "name" | "pathPrefix" | "methods">,
  request: {
    readonly method: string;
    readonly urlPath: string;
    readonly query: Readonly<Record<string, Values>>;
    readonly rawTarget: string;
  },
): string {
  const { method, urlPath, query, rawTarget } = request;
  if (!entry.methods.includes(method)) throw refused(`service ${entry.name} accepts ${entry.methods.join(", ")}, not ${method}`);
  let path: string;
  let target: string;
  try {
    path = requestTargetOf(urlPath, {});
    target = requestTargetOf(urlPath, query, rawTarget);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw refused(error.message);
  }
  if (NOT_IN_PATHS.test(urlPath)) throw refused("the path has a backslash or a control character");
  if (urlPath.includes("//")) throw refused("the path has an empty segment");
  if (ENCODED_AGAIN.test(urlPath)) throw refused("the path is encoded twice");
  if (urlPath.split("/").some(isDotsWithParameters)) throw refused("the path has dot segments");
  if (!isBelow(path, entry.pathPrefix)) throw refused(`service ${entry.name} accepts only paths below ${entry.pathPrefix}`);
  const cut = target.indexOf("?");
  return cut < 0 ? path : `${path}${target.slice(cut)}`;
}

/** Some servers cut `;…` off before they look at a segment. */
function isDotsWithParameters(segment: string): boolean {
  const bare = segment.split(";", 1)[0];
  return bare === "." || bare === "..";
}

/** Segment by segment, byte by byte. */
function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
}

function refused(why: string): ServiceRefusal {
  return new ServiceRefusal("service_request_refused", why);
}
